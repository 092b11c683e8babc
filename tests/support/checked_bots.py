"""Small bots for several games, and ways to write them with a mistake in them."""

import sys
from pathlib import Path

QUICK = "-IS"
"""Options of Python with which it starts in a few milliseconds, but knows no installed libraries."""

CONNECT_FOUR = """\
import random
import sys

heights = [0] * 7
chance = random.Random()


def say(text):
    print(text, flush=True)


def inform(key, value):
    if key == "seed":
        chance.seed(value)
    if key == "initial_board":
        with open(value) as file:
            for row in file.readline().strip().split("/"):
                for column in range(7):
                    heights[column] += row[column] != "."
    say("OK")


def play():
    column = chance.choice([column for column in range(7) if heights[column] < 6])
    heights[column] += 1
    say(column + 1)


def obey(word, rest):
    if word == "INFO":
        inform(*rest.split(" ", 1))
    elif word == "START":
        play()
    elif word == "TURN":
        heights[int(rest) - 1] += 1
        play()
    elif word == "END":
        sys.exit()


def main():
    while line := sys.stdin.readline():
        obey(*line.strip().partition(" ")[::2])


main()
"""

NIM = """\
import sys

piles = []

def take(move, sign=-1):
    pile, number = map(int, move.split("-"))
    piles[pile - 1] += sign * number

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "piles":
            piles = [int(pile) for pile in rest[1].split("-")]
        if rest[0] == "initial_board":
            with open(rest[1]) as file:
                piles = [int(pile) for pile in file.read().split("/")[0].split("-")]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        for happened in rest:
            take(happened.partition(":")[2])
        pile = max(range(len(piles)), key=piles.__getitem__)
        print(f"{pile + 1}-1", flush=True)
"""

GOOFSPIEL = """\
import sys

hand = []
seat = None

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "seat":
            seat = int(rest[1])
        if rest[0] == "cards":
            hand = list(range(1, int(rest[1]) + 1))
        if rest[0] == "initial_board":
            with open(rest[1]) as file:
                cards = file.read().split("/")[2 + seat].split(":")[0]
            hand = [int(card) for card in cards.split("-")]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        print(hand.pop(), flush=True)
"""

TAKE_ONE = """\
import sys

for line in sys.stdin:
    if line == "END\\n":
        break
    print("OK" if line.startswith("INFO") else "1", flush=True)
"""

BRAIN = """\
import random
import sys

taken = set()
lines = iter(sys.stdin.readline, "")

def put(place):
    taken.add(place)
    return place

def play():
    free = [f"{x},{y}" for x in range(9) for y in range(9) if f"{x},{y}" not in taken]
    print(put(random.choice(free)), flush=True)

for line in lines:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        taken.clear()
        print("OK", flush=True)
    elif word == "BEGIN":
        play()
    elif word == "TURN":
        put(rest)
        play()
    elif word == "BOARD":
        taken.clear()
        while (stone := next(lines).strip()) != "DONE":
            put(stone.rpartition(",")[0])
        play()
    elif word == "END":
        break
"""

ENGINE = """\
import sys

import chess

board = chess.Board()

for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name small\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        told = words.index("moves") if "moves" in words else len(words)
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:told]))
        for move in words[told + 1:]:
            board.push_uci(move)
    elif words[0] == "go":
        print("bestmove", sorted(move.uci() for move in board.legal_moves)[0], flush=True)
    elif words[0] == "quit":
        break
"""


def stays(state: str = "sleeping") -> str:
    """A statement by which a bot notes that nothing more will come of it, for `let_time_fly`."""
    return f"import os; print(os.getpid(), {state!r}, file=open('stays', 'w'))"


def write_bot(folder: Path, *changes: tuple[str, str], source: str = CONNECT_FOUR, options: str = QUICK) -> str:
    """Write a bot with each first text replaced by the second, and return the command that runs it."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    program = folder / "bot.py"
    program.write_text(f"#!{sys.executable} {options}\n{source}")
    program.chmod(0o755)
    return str(program)
