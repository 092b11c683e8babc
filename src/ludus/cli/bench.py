"""`ludus bench`: run the benchmark programs of a source checkout as one table."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.screen import output, table
from ludus.core.errors import LudusError, NotFoundError
from ludus.core.text import did_you_mean

EXAMPLE = "Example: ludus bench playouts mcts"


@dataclass(frozen=True)
class Row:
    """One comparison; `goal` is for the ratio, or for Ludus alone where there is no peer."""

    name: str
    ludus: float
    peer: float | None
    unit: str
    ratio: float | None
    goal: float | None = None
    peer_name: str = ""
    less_is_better: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal."""
        value = self.ludus if self.ratio is None else self.ratio
        return None if self.goal is None else (value <= self.goal if self.less_is_better else value >= self.goal)


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]…", help="Programs; without names, all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON for each row.")] = False,
) -> None:
    """Measure every speed claim beside its peer, on this machine."""
    programs = find_programs()
    for name in names or []:
        if name not in programs:
            raise NotFoundError(
                f"There is no benchmark '{name}'{did_you_mean(name, programs)}; there are {', '.join(programs)}."
            )
    rows, failed = [], []
    for name in names or programs:
        try:
            for line in run_program(programs[name]):
                row = Row(**json.loads(line))
                rows.append(dataclasses.replace(row, name=f"{name}: {row.name}"))
                if as_json:
                    print(json.dumps(dataclasses.asdict(rows[-1])), flush=True)
                else:
                    print(f"{rows[-1].name}: {number(row.ludus)} {row.unit}", file=sys.stderr)
        except subprocess.CalledProcessError:
            failed.append(name)
    if not as_json:
        show("", rows)
    if failed:
        raise LudusError(f"These benchmarks failed, as said above: {', '.join(failed)}.")


def find_programs() -> dict[str, Path]:
    """The programs of the source checkout that measure Ludus beside a peer, by name."""
    folder = Path(__file__).parents[3] / "benchmarks"
    if not (folder / "side_by_side.py").is_file():
        raise NotFoundError(
            "The benchmarks come with the sources of Ludus: run this in a checkout, after 'make setup'."
        )
    return {file.stem: file for file in sorted(folder.glob("*.py")) if "from side_by_side import" in file.read_text()}


def run_program(file: Path) -> Iterator[str]:
    """The rows of a program, as lines of JSON, as they come."""
    with subprocess.Popen([sys.executable, str(file), "--json"], stdout=subprocess.PIPE, text=True) as child:
        yield from child.stdout or ()
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, str(file))


def show(title: str, rows: Iterable[Row]) -> None:
    """Print rows as a table."""
    made = table("", "Ludus", "peer", "unit", "ratio", "goal", "beside", right=("Ludus", "peer", "ratio", "goal"))
    for row in rows:
        goal = ""
        if row.goal is not None:
            goal = f"{'≤' if row.less_is_better else '≥'} {row.goal:g} {'✓' if row.reached else '✗'}"
        ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
        made.add_row(row.name, number(row.ludus), number(row.peer), row.unit, ratio, goal, row.peer_name)
    if title:
        output().print(f"[bold]{title}[/]")
    output().print(made)


def number(value: float | None) -> str:
    """A figure in few digits."""
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
