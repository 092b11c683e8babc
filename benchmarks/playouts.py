"""Random playouts a second, through the functions that searches use (`copy` and `playout`), beside OpenSpiel's C++.

A second row for each game goes through `legal` and `play` alone: what a game gets that has no `sample` or `playout` of
its own. The floor is Connect Four written in C.
"""

import ctypes
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyspiel

from kernels import playouts, playouts_through_legal
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate
from side_by_side import Row, compare, main, new_scores, per_second, pin

GAMES = [
    ("connect-four", "connect_four", 40.0),
    ("othello", "othello", 40.0),
    ("hex:size=11", "hex(board_size=11)", 30.0),
    ("tic-tac-toe", "tic_tac_toe", None),
    ("gomoku", "gomoku(size=15)", None),
    ("2048", "2048", None),
]


def ludus_playouts(spec: str, kernel: Any) -> Callable[[int], object]:
    start = game_from(spec).start(new_rng(0))
    work, rng, out = duplicate(start), new_rng(1), new_scores()
    return lambda n: kernel(start, work, rng, out, n)


def openspiel_playouts(name: str) -> Callable[[int], object]:
    """The first simulation of its MCTS makes all of the evaluator's roll-outs from the root, in C++."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def roll_out(n: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 1, False).mcts_search(state)

    return roll_out


def openspiel_python_playouts(name: str) -> Callable[[int], object]:
    """Roll-outs in Python, for a game that its MCTS refuses."""
    game = pyspiel.load_game(name)
    chooser = random.Random(1)

    def roll_out(n: int) -> None:
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chooser.choices(outcomes, weights)[0])
                else:
                    state.apply_action(chooser.choice(state.legal_actions()))

    return roll_out


def c_playouts(folder: str) -> Callable[[int], object]:
    library = Path(folder, "floor.so")
    source = Path(__file__).with_name("connect_four.c")
    options = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run(["gcc", *options, "-o", str(library), str(source)], check=True)
    function = ctypes.CDLL(str(library)).playouts
    function.argtypes, function.restype = [ctypes.c_uint64, ctypes.c_int64], ctypes.c_int64
    return lambda n: function(1, n)


def measure() -> Iterator[Row]:
    pin()
    unit = "playouts/s"
    for spec, name, goal in GAMES:
        refused = name == "2048"
        peer = per_second((openspiel_python_playouts if refused else openspiel_playouts)(name))
        beside = "OpenSpiel, Python loop" if refused else "OpenSpiel, C++ roll-outs"
        yield compare(spec, per_second(ludus_playouts(spec, playouts), 100), peer, unit, beside, goal)
        through_legal = per_second(ludus_playouts(spec, playouts_through_legal), 100)
        yield compare(f"{spec}, by legal alone", through_legal, peer, unit, beside)
    if shutil.which("gcc") is None:
        print("gcc is missing, so the floor in C is left out.", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        floor = per_second(c_playouts(folder), 100)
        ours = per_second(ludus_playouts("connect-four", playouts), 100)
        yield compare("connect-four, floor", ours, floor, unit, "C, gcc -O3")


if __name__ == "__main__":
    main("Random playouts from the start", measure)
