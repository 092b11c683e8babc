"""Gomoku: plays the first free cell in its own order, and writes metrics as the comparison interface has it."""

import sys
import time

size, name, taken = 15, "episode", set()
rows: list[str] = []


def play() -> str:
    begin = time.perf_counter()
    tried = 0
    for cell in range(size * size):
        tried += 1
        place = cell * 37 % (size * size)
        x, y = place % size, place // size
        if (x, y) not in taken:
            break
    taken.add((x, y))
    rows.append(f"{x}-{y};{int(1000 * (time.perf_counter() - begin))};{tried}")
    with open(f"{name}.csv", "w") as file:
        file.write("\n".join(["Turn;Time;Iterations", *rows]) + "\n")
    return f"{x}-{y}"


for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "size":
            size = int(rest[1])
        elif rest[0] == "match_name":
            name = rest[1]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        if word == "TURN":
            x, y = rest[0].split("-")
            taken.add((int(x), int(y)))
        print(play(), flush=True)
