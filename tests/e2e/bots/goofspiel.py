"""Goofspiel: plays its cards from the highest; says how many are left."""

import sys

hand: list[int] = []

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "cards":
            hand = list(range(1, int(rest[1]) + 1))
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        print(f"METRIC Left {len(hand)}", flush=True)
        print(hand.pop(), flush=True)
