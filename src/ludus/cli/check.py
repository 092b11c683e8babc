"""`ludus check`: a game or a bot, checked in numbered steps."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.padding import Padding

from ludus.bots.bot import Bot
from ludus.check.bot_check import MOVE_TIME, check_bot
from ludus.check.game_check import check_game
from ludus.check.steps import MUST_PASS, Step
from ludus.cli.completion import complete_game
from ludus.cli.options import JsonOption, value_option
from ludus.cli.screen import errors, output, print_json
from ludus.core.errors import InvalidError
from ludus.core.kinds import TIME
from ludus.core.registry import names
from ludus.core.spec import DEFAULT_PROTOCOL, Spec, parse_agent
from ludus.core.text import listing
from ludus.games.game import game_from
from ludus.tournaments.field import pick_from

_GAME_EXAMPLE = "Example: ludus check game connect-four"
_BOT_EXAMPLE = "Example: ludus new bot python && ludus check bot 'python3 mybot/bot.py' --game connect-four"

app = typer.Typer(help="Check a game or a bot step by step; every problem comes with a fix.", epilog=_GAME_EXAMPLE)

_MARKS = {"passed": "[green]✓[/]", "failed": "[red]✗[/]", "skipped": "[dim]–[/]"}


@app.callback()
def check() -> None:
    """Make a group of the commands."""


@app.command(epilog=_GAME_EXAMPLE)
def game(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE.py", help="A game, such as 'hex:size=5' or 'mygame.py'.", autocompletion=complete_game
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Check the rules of a game: interpreted, with bounds checks, and compiled; then measure their speed."""
    if Spec.parse(spec).file is None:
        game_from(spec)  # a wrong name is not a broken game
    _report({"game": spec}, check_game(spec), as_json)


@app.command(epilog=_BOT_EXAMPLE)
def bot(
    command: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND", help="Command of the bot, such as './mybot', 'python3 bot.py' or 'gomocup:./pbrain-x'."
        ),
    ],
    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="The game, such as 'gomoku:size=15'.", autocompletion=complete_game),
    ],
    move_time: Annotated[int, value_option(TIME, "--move-time -t", "Time per move.", shown="1s")] = MOVE_TIME,
    as_json: JsonOption = False,
) -> None:
    """Check that a bot starts, answers, plays by the rules, keeps time, ends, and leaves nothing behind."""
    chosen = _bot_from(command)
    played = game_from(game)
    _report({"bot": chosen.spec(), "game": played.spec()}, check_bot(chosen, played, move_time), as_json)


def _bot_from(text: str) -> Bot:
    """The bot that a command stands for; without a protocol, it speaks the default one."""
    is_saved = text.startswith("@") or (text.endswith(".toml") and len(text.split()) == 1)
    if not is_saved and parse_agent(text).command is None and text.partition(":")[0] not in names("agent"):
        text = f"{DEFAULT_PROTOCOL}:{text}"
    found = pick_from(text).agent
    if not isinstance(found, Bot):
        raise InvalidError(f"{text} is an agent of Ludus: a bot is a program of its own, such as ./mybot.")
    return found


def _report(about: dict[str, str], steps: Iterable[Step], as_json: bool) -> None:
    """Write the steps and exit, with status 1 if one failed."""
    done = list(steps) if as_json else show(steps)
    passed = all(step.verdict != "failed" for step in done)
    if as_json:
        print_json({**about, "passed": passed, "steps": done})
    raise typer.Exit(0 if passed else 1)


def show(steps: Iterable[Step]) -> list[Step]:
    """Print each step as it ends, then a verdict; steps that were skipped share a line."""
    done: list[Step] = []
    skipped: list[int] = []
    console = output()
    with errors().status("checking"):
        for step in steps:
            done.append(step)
            if step.verdict == "skipped" and (not step.problem or step.problem.endswith(MUST_PASS)):
                skipped.append(step.number)
                continue
            _show_skipped(skipped)
            skipped = []
            time = "" if step.verdict == "skipped" else f"{step.seconds:6.1f} s"
            console.print(f"{step.number:2} {_MARKS[step.verdict]} {step.title:65}[dim]{time}[/]")
            lines = [step.problem, step.remedy and f"→ {step.remedy}", *step.notes]
            for line in filter(None, lines):
                console.print(
                    Padding(line, (0, 0, 0, 5)), markup=False, style="dim" if step.verdict != "failed" else ""
                )
        _show_skipped(skipped)
    failed = [step.number for step in done if step.verdict == "failed"]
    console.print(f"[red]Failed: {_numbered(failed)}.[/]" if failed else "[green]All steps passed.[/]")
    return done


def _show_skipped(numbers: list[int]) -> None:
    """Print a line for consecutive steps that were skipped."""
    if numbers:
        what = f"steps {numbers[0]} to {numbers[-1]}" if len(numbers) > 2 else _numbered(numbers)
        output().print(f"     [dim]{what} {'was' if len(numbers) == 1 else 'were'} skipped[/]")


def _numbered(numbers: list[int]) -> str:
    return f"{'step' if len(numbers) == 1 else 'steps'} {listing(map(str, numbers))}"
