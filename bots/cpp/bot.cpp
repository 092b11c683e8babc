/* A starter bot: the protocol is complete; fill in two functions, opening_move and answer_to.

   As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

   Compile:   c++ -std=c++17 -O2 -o bot bot.cpp
   Check:     ludus check bot ./bot --game connect-four
   Play:      ludus play connect-four ./bot random
   Settings:  a file settings.txt beside the bot, if you want one, with lines such as
                  log = yes        # log the dialogue to MATCH_NAME.log
                  metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
                  seed = 7         # always the same random numbers
*/
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using std::vector;

const int MOST_EMPTY_READS = 10;  // after more of them in a row, the manager is gone

string trimmed(const string &text);
void append(const string &file_name, const string &line);
std::map<string, string> read_settings(const string &file_name);

struct Bot {  // One bot in one episode: a new process starts for the next one.
    std::map<string, string> settings = read_settings("settings.txt");
    std::map<string, string> info;  // values from INFO: game, seat, timeout_turn, seed, ...
    vector<string> board;           // board[row][column] from the top left: '.' is empty, 'x' began, 'o' answered
    int stones = 0;                 // on the board
    long iterations = 0;            // for the metrics: count here what your search does for one move
    std::mt19937_64 random;
    string log_name, metrics_name;  // no name, no file

    Bot() {
        bool fixed = settings.count("seed");
        random.seed(fixed ? std::strtoull(settings["seed"].c_str(), nullptr, 10) : std::random_device()());
    }

    // ---- 1. Your bot: fill in these two functions. ----
    // Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
    // number("timeout_turn", 1000) is the time for a move in milliseconds.
    // say("METRIC depth 5") before you return reports a number with the move.

    string opening_move() {  // You open: return your first move.
        return random_move();
    }

    string answer_to([[maybe_unused]] const string &move) {
        // The opponent played `move`, which is on the board already: return your answer.
        return random_move();
    }

    string random_move() {  // Any legal move.
        vector<string> moves = legal_moves();
        iterations += moves.size();
        return moves.empty() ? "-" : moves[random() % moves.size()];
    }

    // ---- 2. The board of Connect Four and Gomoku: change it for another game. ----

    bool is_connect_four() {  // True if stones fall; otherwise Gomoku.
        return info["game"] == "connect-four";
    }

    char to_move() {  // The side to move, 'x' or 'o': when you are asked, that is you.
        return stones % 2 == 0 ? 'x' : 'o';
    }

    void set_up_board() {  // Make the board that INFO describes.
        if (info.count("game") && info["game"] != "connect-four" && info["game"] != "gomoku")
            say("ERROR this bot plays connect-four and gomoku, but not " + info["game"]);
        int rows = is_connect_four() ? number("rows", 6) : number("size", 15);
        int columns = is_connect_four() ? number("columns", 7) : number("size", 15);
        board.assign(rows, string(columns, '.'));
        if (info.count("initial_board")) read_start_board(info["initial_board"]);
    }

    void read_start_board(const string &file_name) {
        // Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o.
        std::ifstream file(file_name);
        string text, row;
        if (!std::getline(file, text)) {
            say("ERROR the start board " + file_name + " cannot be read");
            return;
        }
        board.clear();
        for (std::istringstream rows(trimmed(text)); std::getline(rows, row, '/');) board.push_back(row);
        for (const string &letters : board) stones += letters.size() - std::count(letters.begin(), letters.end(), '.');
    }

    vector<string> legal_moves() {  // All moves that can be played now.
        vector<string> moves;
        size_t rows = is_connect_four() ? 1 : board.size();
        for (size_t y = 0; y < rows; y++)
            for (size_t x = 0; x < board[y].size(); x++)
                if (board[y][x] == '.' && is_connect_four()) moves.push_back(std::to_string(x + 1));
                else if (board[y][x] == '.') moves.push_back(std::to_string(x) + "-" + std::to_string(y));
        return moves;
    }

    void put(const string &move) {  // Put a stone of the player to move on the board.
        vector<string> moves = legal_moves();
        if (std::find(moves.begin(), moves.end(), move) == moves.end()) {
            say("ERROR " + move + " cannot be played on my board");
            return;
        }
        int column = std::stoi(move), row = 0;
        if (is_connect_four()) {
            column--;
            while (row + 1 < int(board.size()) && board[row + 1][column] == '.') row++;
        } else {
            row = std::stoi(move.substr(move.find('-') + 1));
        }
        board[row][column] = to_move();
        stones++;
    }

    // ---- 3. The protocol: it is done. ----

    void run() {  // Read messages and obey them until the end.
        int empty_reads = 0;
        string message;
        while (empty_reads <= MOST_EMPTY_READS && std::getline(std::cin, message)) {  // no line: end of input
            message = trimmed(message);
            empty_reads = message.empty() ? empty_reads + 1 : 0;
            if (message.empty()) continue;
            log("< " + message);
            if (message == "END") break;
            obey(message);
        }
    }

    void obey(const string &message) {  // Carry out one message: INFO, START or TURN.
        size_t space = std::min(message.find(' '), message.size());
        string command = message.substr(0, space), rest = trimmed(message.substr(space)), move;
        if (command == "INFO") {
            space = std::min(rest.find(' '), rest.size());
            inform(rest.substr(0, space), trimmed(rest.substr(space)));
            say("OK");
        } else if (command == "START" || command == "TURN") {
            auto begun = std::chrono::steady_clock::now();
            if (board.empty()) set_up_board();
            iterations = 0;
            if (command == "START") {
                move = opening_move();
            } else {
                std::istringstream others(rest);
                for (string other; std::getline(others, other, ';');)  // several, if the opponent moved more than once
                    if (other != "-") put(other);                      // it did not move at all
                move = answer_to(rest);
            }
            put(move);
            say(move);
            std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begun;
            note_metrics(move, passed.count());
        } else {
            say("ERROR I do not know " + command);
        }
    }

    void inform(const string &key, const string &value) {
        // Remember what INFO tells; a seed in the settings comes before that of the match.
        info[key] = value;
        if (key == "seed" && !settings.count("seed")) random.seed(std::strtoull(value.c_str(), nullptr, 10));
        if (key == "match_name" && settings["log"] == "yes") log_name = value + ".log";
        if (key == "match_name" && settings["metrics"] == "yes") {
            metrics_name = value + ".csv";
            append(metrics_name, "Turn;Time;Iterations");
        }
    }

    int number(const string &key, int otherwise) {  // A number that INFO told, or another one if it told none.
        return info.count(key) ? std::atoi(info[key].c_str()) : otherwise;
    }

    void say(const string &text) {  // Say one line to the match, at once.
        std::cout << text << std::endl;
        log("> " + text);
    }

    void log(const string &text) {  // Note one line in the log; it begins when the match has a name.
        if (!log_name.empty()) append(log_name, text);
    }

    void note_metrics(const string &move, double milliseconds) {  // A new metric is a new column.
        string row = move + ";" + std::to_string(milliseconds) + ";" + std::to_string(iterations);
        if (!metrics_name.empty()) append(metrics_name, row);
    }
};

void append(const string &file_name, const string &line) {
    // Add a line to a file in the bot's folder, which is where it is started.
    std::ofstream(file_name, std::ios::app) << line << '\n';
}

std::map<string, string> read_settings(const string &file_name) {
    // The lines `key = value` of a file, without what follows a #; it may be absent.
    std::map<string, string> settings;
    std::ifstream file(file_name);
    for (string line; std::getline(file, line);) {
        line = line.substr(0, line.find('#'));
        size_t equals = line.find('=');
        if (equals != string::npos) settings[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
    return settings;
}

string trimmed(const string &text) {  // The text without spaces at both ends.
    const char *spaces = " \t\r\n";
    size_t first = text.find_first_not_of(spaces);
    return first == string::npos ? "" : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

int main() {
    Bot().run();
}
