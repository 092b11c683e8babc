#!/usr/bin/env python3
"""A starter bot: the protocol is complete; fill in two functions, opening_move and answer_to.

As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

Check:     ludus check bot "stdio:python3 bot.py" --game connect-four
Play:      ludus play connect-four "stdio:python3 bot.py" random
Settings:  a file settings.txt beside the bot, if you want one, with lines such as
               log = yes        # log the dialogue to MATCH_NAME.log
               metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
               seed = 7         # always the same random numbers
"""

import random
import sys
import time

MOST_EMPTY_READS = 10  # after more of them in a row, the manager is gone


class Bot:
    """One bot in one episode: a new process starts for the next one."""

    def __init__(self) -> None:
        self.settings = read_settings("settings.txt")
        self.info: dict[str, str] = {}  # values from INFO: game, seat, timeout_turn, seed, ...
        self.board: list[list[str]] = []  # board[row][column] from the top left: "." is empty, "x" began, "o" answered
        self.stones = 0  # on the board
        self.iterations = 0  # for the metrics: count here what your search does for one move
        self.random = random.Random(self.settings.get("seed"))
        self.log_name = ""  # no name, no file
        self.metrics_name = ""

    # ---- 1. Your bot: fill in these two functions. ----
    # Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
    # self.number("timeout_turn", 1000) is the time for a move in milliseconds.
    # self.say("METRIC depth 5") before you return reports a number with the move.

    def opening_move(self) -> str:
        """You open: return your first move."""
        return self.random_move()

    def answer_to(self, move: str) -> str:
        """The opponent played `move`, which is on the board already: return your answer."""
        return self.random_move()

    def random_move(self) -> str:
        """Any legal move."""
        moves = self.legal_moves()
        self.iterations += len(moves)
        return self.random.choice(moves) if moves else "-"

    # ---- 2. The board of Connect Four and Gomoku: change it for another game. ----

    def is_connect_four(self) -> bool:
        """True if stones fall; otherwise Gomoku."""
        return self.info.get("game") == "connect-four"

    def to_move(self) -> str:
        """The side to move, "x" or "o": when you are asked, that is you."""
        return "x" if self.stones % 2 == 0 else "o"

    def set_up_board(self) -> None:
        """Make the board that INFO describes."""
        if self.info.get("game", "gomoku") not in ("connect-four", "gomoku"):
            self.say(f"ERROR this bot plays connect-four and gomoku, but not {self.info['game']}")
        rows, columns = self.number("size", 15), self.number("size", 15)
        if self.is_connect_four():
            rows, columns = self.number("rows", 6), self.number("columns", 7)
        self.board = [["."] * columns for _ in range(rows)]
        if "initial_board" in self.info:
            self.read_start_board(self.info["initial_board"])

    def read_start_board(self, file_name: str) -> None:
        """Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o."""
        try:
            with open(file_name, encoding="utf-8") as file:
                self.board = [list(row) for row in file.readline().strip().split("/")]
        except OSError:
            self.say(f"ERROR the start board {file_name} cannot be read")
        self.stones = sum(cell != "." for row in self.board for cell in row)

    def legal_moves(self) -> list[str]:
        """All moves that can be played now."""
        if self.is_connect_four():
            return [str(column + 1) for column, cell in enumerate(self.board[0]) if cell == "."]
        return [f"{x}-{y}" for y, row in enumerate(self.board) for x, cell in enumerate(row) if cell == "."]

    def put(self, move: str) -> None:
        """Put a stone of the player to move on the board."""
        if move not in self.legal_moves():
            self.say(f"ERROR {move} cannot be played on my board")
            return
        if self.is_connect_four():
            column = int(move) - 1
            row = max(y for y in range(len(self.board)) if self.board[y][column] == ".")
        else:
            column, row = map(int, move.split("-"))
        self.board[row][column] = self.to_move()
        self.stones += 1

    # ---- 3. The protocol: it is done. ----

    def run(self) -> None:
        """Read messages and obey them until the end."""
        empty_reads = 0
        while empty_reads <= MOST_EMPTY_READS:
            try:
                line = sys.stdin.readline()
            except (OSError, UnicodeDecodeError):
                line = "\n"
            if not line:
                break  # the end of the input: the manager is gone
            message = line.strip()
            if not message:
                empty_reads += 1
                continue
            empty_reads = 0
            self.log(f"< {message}")
            if message == "END":
                break
            self.obey(message)

    def obey(self, message: str) -> None:
        """Carry out one message: INFO, START or TURN."""
        command, _, rest = message.partition(" ")
        if command == "INFO":
            key, _, value = rest.partition(" ")
            self.inform(key, value)
            self.say("OK")
        elif command in ("START", "TURN"):
            begun = time.monotonic()
            if not self.board:
                self.set_up_board()
            self.iterations = 0
            if command == "START":
                move = self.opening_move()
            else:
                for other in rest.split(";"):  # several, if the opponent moved more than once
                    if other != "-":  # it did not move at all
                        self.put(other)
                move = self.answer_to(rest)
            self.put(move)
            self.say(move)
            self.note_metrics(move, time.monotonic() - begun)
        else:
            self.say(f"ERROR I do not know {command}")

    def inform(self, key: str, value: str) -> None:
        """Remember what INFO tells; a seed in the settings comes before that of the match."""
        self.info[key] = value
        if key == "seed" and "seed" not in self.settings:
            self.random.seed(value)
        if key == "match_name" and self.settings.get("log") == "yes":
            self.log_name = f"{value}.log"
        if key == "match_name" and self.settings.get("metrics") == "yes":
            self.metrics_name = f"{value}.csv"
            append(self.metrics_name, "Turn;Time;Iterations")

    def number(self, key: str, otherwise: int) -> int:
        """A number that INFO told, or another one if it told none."""
        return int(self.info.get(key, otherwise))

    def say(self, text: str) -> None:
        """Say one line to the match, at once."""
        print(text, flush=True)
        self.log(f"> {text}")

    def log(self, text: str) -> None:
        """Note one line in the log; it begins when the match has a name."""
        if self.log_name:
            append(self.log_name, text)

    def note_metrics(self, move: str, seconds: float) -> None:
        """Note a move with its milliseconds; a new metric is a new column."""
        if self.metrics_name:
            append(self.metrics_name, f"{move};{seconds * 1000:.3f};{self.iterations}")


def append(file_name: str, line: str) -> None:
    """Add a line to a file in the bot's folder, which is where it is started."""
    with open(file_name, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def read_settings(file_name: str) -> dict[str, str]:
    """The lines `key = value` of a file, without what follows a #; it may be absent."""
    settings = {}
    try:
        with open(file_name, encoding="utf-8") as file:
            for line in file:
                key, equals, value = line.split("#")[0].partition("=")
                if equals:
                    settings[key.strip()] = value.strip()
    except OSError:
        pass
    return settings


if __name__ == "__main__":
    Bot().run()
