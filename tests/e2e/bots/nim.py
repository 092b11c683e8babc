"""Nim for any number of players: takes one object of the first pile that has any."""

import sys

piles: list[int] = []


def take() -> str:
    pile = next(number for number, left in enumerate(piles) if left)
    return f"{pile + 1}-1"


def follow(moves: list[str]) -> None:
    for move in moves:
        pile, count = map(int, move.split(":")[1].split("-"))
        piles[pile - 1] -= count


for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "piles":
            piles = [int(pile) for pile in rest[1].split("-")]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        if word == "TURN":
            follow(rest)
        print(take(), flush=True)
