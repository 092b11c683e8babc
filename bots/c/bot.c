/* A starter bot: the protocol is complete; fill in two functions, opening_move and answer_to.

   As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

   Compile:   cc -O2 -o bot bot.c
   Check:     ludus check bot ./bot --game connect-four
   Play:      ludus play connect-four ./bot random
   Settings:  a file settings.txt beside the bot, if you want one, with lines such as
                  log = yes        # log the dialogue to MATCH_NAME.log
                  metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
                  seed = 7         # always the same random numbers
*/
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_EMPTY_READS 10 /* after more of them in a row, the manager is gone */
#define LINE 65536          /* longest message */
#define SIDE 64             /* longest side of a board */
#define MOVE 32             /* longest move */
#define KEYS 64             /* of INFO, and of the settings */
#define KEY 64              /* longest key, and longest value */
#define VALUE 4096

typedef struct { char key[KEY], value[VALUE]; } Pair;

static Pair settings[KEYS], info[KEYS]; /* values from INFO: game, seat, timeout_turn, seed, ... */
static char board[SIDE][SIDE];          /* board[row][column] from the top left: '.' empty, 'x' began, 'o' answered */
static int rows, columns, stones;       /* no rows: there is no board yet */
static long iterations;                 /* for the metrics: count here what your search does for one move */
static uint64_t random_state;
static char log_name[VALUE + 4], metrics_name[VALUE + 4]; /* no name, no file */

static const char *get(Pair *pairs, const char *key, const char *otherwise);
static long number(const char *key, long otherwise);
static void say(const char *format, ...);
static long random_below(long limit);
static void random_move(char *mine);
static int legal_moves(char moves[][MOVE]);

/* ---- 1. Your bot: fill in these two functions. ----
   Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
   number("timeout_turn", 1000) is the time for a move in milliseconds.
   say("METRIC depth %d", 5) before you return reports a number with the move. */

static void opening_move(char *mine) { /* You open: write your first move into `mine`. */
    random_move(mine);
}

static void answer_to(const char *move, char *mine) {
    /* The opponent played `move`, which is on the board already: write your answer into `mine`. */
    (void)move; /* not used yet */
    random_move(mine);
}

static void random_move(char *mine) { /* Any legal move. */
    static char moves[SIDE * SIDE][MOVE];
    int count = legal_moves(moves);
    iterations += count;
    strcpy(mine, count > 0 ? moves[random_below(count)] : "-");
}

/* ---- 2. The board of Connect Four and Gomoku: change it for another game. ---- */

static int is_connect_four(void) { /* True if stones fall; otherwise Gomoku. */
    return strcmp(get(info, "game", "gomoku"), "connect-four") == 0;
}

static char to_move(void) { /* The side to move, 'x' or 'o': when you are asked, that is you. */
    return stones % 2 == 0 ? 'x' : 'o';
}

static void read_start_board(const char *file_name) {
    /* Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o. */
    char text[LINE] = "";
    FILE *file = fopen(file_name, "r");
    if (file == NULL || fgets(text, LINE, file) == NULL) say("ERROR the start board %s cannot be read", file_name);
    if (file != NULL) fclose(file);
    int row = 0;
    for (char *letters = strtok(text, "/\r\n"); letters && row < rows; letters = strtok(NULL, "/\r\n"), row++)
        for (int column = 0; column < columns && letters[column]; column++) {
            board[row][column] = letters[column];
            stones += letters[column] != '.';
        }
}

static void set_up_board(void) { /* Make the board that INFO describes. */
    if (!is_connect_four() && strcmp(get(info, "game", "gomoku"), "gomoku") != 0)
        say("ERROR this bot plays connect-four and gomoku, but not %s", get(info, "game", ""));
    rows = (int)(is_connect_four() ? number("rows", 6) : number("size", 15));
    columns = (int)(is_connect_four() ? number("columns", 7) : number("size", 15));
    if (rows < 1 || rows > SIDE || columns < 1 || columns > SIDE) {
        say("ERROR a board of %d by %d does not fit: make SIDE larger", rows, columns);
        exit(1);
    }
    memset(board, '.', sizeof board);
    if (*get(info, "initial_board", "")) read_start_board(get(info, "initial_board", ""));
}

static int legal_moves(char moves[][MOVE]) { /* Write all moves that can be played now, return how many they are. */
    int count = 0;
    for (int row = 0; row < (is_connect_four() ? 1 : rows); row++)
        for (int column = 0; column < columns; column++) {
            if (board[row][column] != '.') continue;
            if (is_connect_four()) snprintf(moves[count++], MOVE, "%d", column + 1);
            else snprintf(moves[count++], MOVE, "%d-%d", column, row);
        }
    return count;
}

static void put(const char *move) { /* Put a stone of the player to move on the board. */
    int column = -1, row = -1;
    if (!is_connect_four()) sscanf(move, "%d-%d", &column, &row);
    else if (sscanf(move, "%d", &column) == 1 && --column >= 0 && column < columns)
        for (int y = 0; y < rows && board[y][column] == '.'; y++) row = y;
    if (column < 0 || column >= columns || row < 0 || row >= rows || board[row][column] != '.') {
        say("ERROR %s cannot be played on my board", move);
        return;
    }
    board[row][column] = to_move();
    stones++;
}

/* ---- 3. The protocol: it is done. ---- */

static const char *get(Pair *pairs, const char *key, const char *otherwise) {
    for (int i = 0; i < KEYS && *pairs[i].key; i++)
        if (strcmp(pairs[i].key, key) == 0) return pairs[i].value;
    return otherwise;
}

static void set(Pair *pairs, const char *key, const char *value) {
    int i = 0;
    while (i < KEYS - 1 && *pairs[i].key && strcmp(pairs[i].key, key) != 0) i++;
    strcpy(pairs[i].key, key);
    strcpy(pairs[i].value, value);
}

static long number(const char *key, long otherwise) { /* A number that INFO told, or another one if it told none. */
    const char *text = get(info, key, "");
    return *text ? atol(text) : otherwise;
}

static long random_below(long limit) { /* From 0 to limit - 1; the generator is called splitmix64. */
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (long)((z ^ (z >> 31)) % (uint64_t)limit);
}

static void append(const char *file_name, const char *mark, const char *text) {
    /* Add a line to a file in the bot's folder, which is where it is started. */
    FILE *file = *file_name ? fopen(file_name, "a") : NULL;
    if (file == NULL) return;
    fprintf(file, "%s%s\n", mark, text);
    fclose(file);
}

static void say(const char *format, ...) { /* Say one line to the match, at once. */
    static char text[LINE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    puts(text);
    fflush(stdout);
    append(log_name, "> ", text);
}

static void read_settings(const char *file_name) {
    /* Read the lines `key = value` of a file, without what follows a #; it may be absent. */
    char line[LINE], key[KEY], value[VALUE];
    FILE *file = fopen(file_name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, " %63[^=# \t] = %4095[^# \t\r\n]", key, value) == 2) set(settings, key, value);
    if (file != NULL) fclose(file);
}

static void inform(const char *key, const char *value) {
    /* Remember what INFO tells; a seed in the settings comes before that of the match. */
    set(info, key, value);
    if (strcmp(key, "seed") == 0 && !*get(settings, "seed", "")) random_state = strtoull(value, NULL, 10);
    if (strcmp(key, "match_name") != 0) return;
    if (strcmp(get(settings, "log", ""), "yes") == 0) snprintf(log_name, sizeof log_name, "%s.log", value);
    if (strcmp(get(settings, "metrics", ""), "yes") == 0) {
        snprintf(metrics_name, sizeof metrics_name, "%s.csv", value);
        append(metrics_name, "", "Turn;Time;Iterations");
    }
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void obey(const char *message) { /* Carry out one message: INFO, START or TURN. */
    char command[KEY] = "", key[KEY] = "", value[VALUE] = "", mine[MOVE], row[100];
    sscanf(message, "%63s %63s %4095[^\n]", command, key, value);
    const char *rest = message + strlen(command) + (message[strlen(command)] == ' ');
    if (strcmp(command, "INFO") == 0) {
        inform(key, value);
        say("OK");
    } else if (strcmp(command, "START") == 0 || strcmp(command, "TURN") == 0) {
        double begun = milliseconds();
        if (rows == 0) set_up_board();
        iterations = 0;
        if (strcmp(command, "START") == 0) {
            opening_move(mine);
        } else {
            char others[LINE];
            strcpy(others, rest);
            for (char *other = strtok(others, ";"); other; other = strtok(NULL, ";")) /* several, if the opponent */
                if (strcmp(other, "-") != 0) put(other); /* moved more than once; "-", if it did not move at all */
            answer_to(rest, mine);
        }
        put(mine);
        say("%s", mine);
        snprintf(row, sizeof row, "%s;%.3f;%ld", mine, milliseconds() - begun, iterations);
        append(metrics_name, "", row); /* a new metric is a new column */
    } else {
        say("ERROR I do not know %s", command);
    }
}

int main(void) { /* Read messages and obey them until the end. */
    char line[LINE];
    int empty_reads = 0;
    read_settings("settings.txt");
    random_state = strtoull(get(settings, "seed", ""), NULL, 10);
    if (!*get(settings, "seed", "")) random_state = (uint64_t)time(NULL);
    while (empty_reads <= MOST_EMPTY_READS && fgets(line, sizeof line, stdin) != NULL) { /* NULL: end of input */
        line[strcspn(line, "\r\n")] = '\0';
        empty_reads = *line ? 0 : empty_reads + 1;
        if (!*line) continue;
        append(log_name, "< ", line);
        if (strcmp(line, "END") == 0) break;
        obey(line);
    }
    return 0;
}
