"""Random playouts in two threads of one process beside one: compiled code releases the interpreter's lock."""

import threading
import time
from collections.abc import Iterator

from kernels import playouts
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate
from side_by_side import Row, compare, main, new_scores

GAMES = {"connect-four": 1_500_000, "othello": 80_000}
"""And how many playouts a thread makes in one turn."""


def playouts_in(threads: int, spec: str, number: int) -> float:
    """Playouts a second of all threads together."""
    start = game_from(spec).start(new_rng(0))
    works = [(start, duplicate(start), new_rng(i), new_scores(), number) for i in range(threads)]
    running = [threading.Thread(target=playouts, args=work) for work in works]
    begin = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return threads * number / (time.perf_counter() - begin)


def measure() -> Iterator[Row]:
    for spec, number in GAMES.items():
        two, one = (lambda n=n, s=spec, k=number: playouts_in(n, s, k) for n in (2, 1))
        yield compare(f"{spec}, two threads", two, one, "playouts/s", "Ludus, one thread", 1.8)


if __name__ == "__main__":
    main("Playouts in two threads", measure)
