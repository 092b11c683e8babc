"""`ludus check`: walk a game through numbered steps."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.padding import Padding

from ludus.catalog import game_from
from ludus.checking import Step, check_game
from ludus.cli.screen import errors, output, print_json
from ludus.spec import Spec

app = typer.Typer(help="Walk a game through numbered steps, and hear what is wrong and how to mend it.")

_MARKS = {"passed": "[green]✓[/]", "failed": "[red]✗[/]", "skipped": "[dim]–[/]"}


@app.callback()
def check() -> None:
    """A group, so that `game` is a word of the command line."""


@app.command()
def game(
    spec: Annotated[str, typer.Argument(metavar="NAME|FILE.py", help="A game, as for `ludus play`.")],
    as_json: Annotated[bool, typer.Option("--json", help="Write the steps as JSON.")] = False,
) -> None:
    """Check the rules of a game: interpreted, with bounds checks, and compiled; then tell what they cost."""
    if Spec.parse(spec).file is None:
        game_from(spec)  # a wrong name is no broken game
    steps = check_game(spec)
    done = list(steps) if as_json else show(steps)
    passed = all(step.verdict != "failed" for step in done)
    if as_json:
        print_json({"game": spec, "passed": passed, "steps": done})
    raise typer.Exit(0 if passed else 1)


def show(steps: Iterable[Step]) -> list[Step]:
    """Print each step as it ends, then the sum of them."""
    done, console = [], output()
    with errors().status("checking"):
        for step in steps:
            done.append(step)
            time = "" if step.verdict == "skipped" else f"{step.seconds:6.1f} s"
            console.print(f"{step.number:2} {_MARKS[step.verdict]} {step.title:65}[dim]{time}[/]")
            lines = [step.problem, step.remedy and f"→ {step.remedy}", *step.notes]
            for line in filter(None, lines):
                console.print(
                    Padding(line, (0, 0, 0, 5)), markup=False, style="dim" if step.verdict != "failed" else ""
                )
    failed = [step.number for step in done if step.verdict == "failed"]
    verdict = "[green]All is well.[/]" if not failed else f"[red]Mend step {' and '.join(map(str, failed))}.[/]"
    console.print(verdict)
    return done
