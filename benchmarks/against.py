"""This checkout beside another one, such as an earlier version: the same programs and commands, in turns.

    python benchmarks/against.py ../ludus-0.1.0 playouts mcts alphabeta bots storing start

The other checkout needs its own `make setup`. The programs are each checkout's own, so that both may have changed; rows
are compared by name. `start` is the time of commands on a store with one small tournament.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TURNS = 5
START = "start"
COMMANDS = {
    "play": ["play", "connect-four", "random", "random"],
    "results": ["results", "1"],
    "help": ["--help"],
    "help of run": ["run", "--help"],
}
HERE = Path(__file__).parents[1]

Figures = dict[str, float]
"""By the name of the row: more is better where the row says so, in seconds for commands."""


class Checkout:
    """One of the two, with a home of its own for machine code and results."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder = folder.resolve()
        self._environment = {**os.environ, "LUDUS_HOME": str(home)}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)  # starts would be those of the very first time
        self.less_is_better: set[str] = set()

    def figures(self, program: str) -> Figures:
        """Figures that a program reports about Ludus, or times of the commands."""
        return self._commands() if program == START else dict(self._rows(program))

    def _rows(self, program: str) -> Iterator[tuple[str, float]]:
        command: list[str | Path] = [self._folder / ".venv/bin/python", f"benchmarks/{program}.py", "--json"]
        done = subprocess.run(
            command, cwd=self._folder, env=self._environment, stdout=subprocess.PIPE, text=True, check=True
        )
        for row in map(json.loads, done.stdout.splitlines()):
            if row["less_is_better"]:
                self.less_is_better.add(row["name"])
            yield row["name"], row["ludus"]

    def _commands(self) -> Figures:
        self.less_is_better |= COMMANDS.keys()
        return {name: self._seconds(words) for name, words in COMMANDS.items()}

    def _seconds(self, words: list[str]) -> float:
        begin = time.perf_counter()
        self.run(*words)
        return time.perf_counter() - begin

    def run(self, *words: str) -> None:
        """Run a command of this checkout's Ludus."""
        program = self._folder / ".venv/bin/ludus"
        subprocess.run([program, *words], env=self._environment, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("programs", nargs="+", help=f"names of benchmark programs, or '{START}'")
    parser.add_argument("--turns", type=int, default=TURNS, help="how often each is run (default: %(default)s)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        both = [Checkout(HERE, Path(folder, "this")), Checkout(asked.other, Path(folder, "other"))]
        if START in asked.programs:
            for checkout in both:
                agents = ["--agent", "random", "--agent", "mcts:simulations=10"]
                checkout.run("run", "--game", "connect-four", *agents, "--episodes", "20")
                checkout.run(*COMMANDS["play"])
        for program in asked.programs:
            compare(program, both, asked.turns)


def compare(program: str, both: list[Checkout], turns: int) -> None:
    """Run a program in both checkouts in turns, and print a line for each row."""
    found: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for _ in range(turns):
        for checkout, figures in zip(both, found, strict=True):
            for name, figure in checkout.figures(program).items():
                figures[name].append(figure)
    for name in found[0].keys() & found[1].keys():
        this, other = (statistics.median(figures[name]) for figures in found)
        if not this or not other:  # such as a share that nothing took
            continue
        ratio = other / this if name in both[0].less_is_better else this / other
        print(f"{program}: {name}: {this:.4g} beside {other:.4g}, {ratio:.3f} times as fast", flush=True)


if __name__ == "__main__":
    main()
