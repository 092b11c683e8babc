/* Bots that think no time at all, for measuring everything else.
 *
 * `instant_bot` plays Gomoku over the comparison interface and fills the board without five in a row; `instant_bot echo`
 * answers every line with another, and is the floor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int size = 15, seat, next;
static char taken[64 * 64];

/* Whose cell it is when both keep to their own: runs of two in every direction. */
static int owner(int cell) { return (cell % size / 2 + cell / size) % 2; }

static void say(const char *text, size_t length) {
    if (write(STDOUT_FILENO, text, length) < 0) exit(1);
}

static void move(void) {
    while (next < size * size && (taken[next] || owner(next) != seat)) next++;
    int cell = next;
    if (cell == size * size)
        for (cell = 0; taken[cell]; cell++) {}
    taken[cell] = 1;
    char text[16];
    say(text, (size_t)snprintf(text, sizeof text, "%d-%d\n", cell % size, cell / size));
}

static void answer(const char *line) {
    int x, y;
    sscanf(line, "INFO size %d", &size);
    sscanf(line, "INFO seat %d", &seat);
    if (!strncmp(line, "INFO", 4)) {
        say("OK\n", 3);
    } else if (!strncmp(line, "END", 3)) {
        exit(0);
    } else {
        if (sscanf(line, "TURN %d-%d", &x, &y) == 2) taken[y * size + x] = 1;
        move();
    }
}

int main(int count, char **arguments) {
    char line[4096];
    ssize_t length;
    int echo = count > 1 && !strcmp(arguments[1], "echo");
    while ((length = read(STDIN_FILENO, line, sizeof line - 1)) > 0) {
        line[length] = 0;
        if (echo)
            say("7-7\n", 4);
        else
            answer(line);
    }
    return 0;
}
