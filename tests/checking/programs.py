"""A small bot for Connect Four, and ways to write it with a mistake in it."""

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
