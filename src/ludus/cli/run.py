"""`ludus run`: a tournament, from a file or from options."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from ludus.cli import results
from ludus.cli.options import (
    GraceOption,
    HardOption,
    IncrementOption,
    MemoryOption,
    MoveOption,
    PliesOption,
    PolicyOption,
    PreparationOption,
    StoreOption,
    TotalOption,
    time_option,
)
from ludus.cli.screen import errors
from ludus.errors import LudusError
from ludus.record import UNLIMITED, Limits, Policy
from ludus.runner.advice import advice
from ludus.runner.pool import PATIENCE
from ludus.runner.running import Progress, Watcher, run
from ludus.store import open_store
from ludus.tournaments.base import Tournament
from ludus.tournaments.files import TournamentFile, read_tournament
from ludus.tournaments.making import absolute, make_tournament
from ludus.tournaments.saved import entrants

EXAMPLE = (
    "Example: ludus run --game hex:size=4 --agent maxn:depth=[4,6] --agent mcts:simulations=500 --agent random "
    '--episodes 10 --opening-plies 1 --name "Hex cup"'
)


def run_tournament(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A tournament file (TOML); options replace what it says.", show_default=False
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="The game, as in 'hex:size=4'.")] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="An agent, any number of times; 'maxn:depth=[4,6]' is two, '@NAME' a saved one, a folder many.",
        ),
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Who meets whom, as in 'swiss:rounds=5'.")
    ] = None,
    episodes: Annotated[int | None, typer.Option("--episodes", "-n", min=1, help="Episodes of a match.")] = None,
    repetitions: Annotated[
        int | None, typer.Option(min=1, help="Play the whole tournament so often, with other seeds.")
    ] = None,
    opening_plies: Annotated[int | None, typer.Option(min=0, help="Begin with so many random plies.")] = None,
    openings: Annotated[Path | None, typer.Option(metavar="FILE", help="Begin with the openings of a file.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Where all chance comes from.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What it is called.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes; as many as there are cores if not given; 0: play in this process."),
    ] = None,
    timed: Annotated[bool, typer.Option("--timed", help="Give each episode a core of its own.")] = False,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the results as JSON.")] = False,
    preparation: PreparationOption = None,
    move: MoveOption = None,
    grace: GraceOption = UNLIMITED.grace,
    total: TotalOption = None,
    increment: IncrementOption = 0,
    hard: HardOption = None,
    plies: PliesOption = None,
    memory: MemoryOption = None,
    policy: PolicyOption = Policy.LOSE,
    patience: Annotated[
        int, time_option("--patience", "Where no time is set: who thinks longer than this hangs.", "10m")
    ] = PATIENCE,
) -> None:
    """Run a tournament, or go on with one that was stopped, and show its results."""
    limits = Limits(
        preparation=preparation,
        move=move,
        total=total,
        increment=increment,
        grace=grace,
        hard=hard,
        plies=plies,
        memory=memory,
        policy=policy,
    )
    given: dict[str, Any] = {"game": game, "agents": agents or None, "format": format, "episodes": episodes}
    given |= {"repetitions": repetitions, "seed": seed, "name": name, "workers": workers, "timed": timed or None}
    given = {key: value for key, value in given.items() if value is not None}
    if opening_plies is not None or openings is not None:
        chosen = {"plies": opening_plies, "file": None if openings is None else str(openings.resolve())}
        given["openings"] = {key: value for key, value in chosen.items() if value is not None}
    wanted = _from_file(file, given, limits) if file is not None else _from_options(given, limits)
    with open_store(store) as opened:
        for sentence in advice(wanted.tournament, wanted.workers, wanted.timed):
            warn(sentence)
        with until_terminated(), _bar(wanted.tournament) as watch:
            ran = run(
                wanted.tournament, opened, workers=wanted.workers, timed=wanted.timed, patience=patience, watch=watch
            )
        for sentence in ran.warnings:
            warn(sentence)
        results.show_results(opened, ran.id, as_json=as_json)


def _from_file(file: Path, given: dict[str, Any], limits: Limits) -> TournamentFile:
    """What a file says, where the options do not say otherwise; paths in options are relative to the current folder."""
    if "agents" in given:
        given["agents"] = [entrant for agent in given["agents"] for entrant in entrants(agent, Path())]
    if "game" in given:
        given["game"] = absolute(given["game"], Path())
    wanted = read_tournament(file, given)
    fields = {name: getattr(limits, name) for name in Limits.__struct_fields__}
    changed = {name: value for name, value in fields.items() if value != getattr(UNLIMITED, name)}
    replaced = msgspec.structs.replace(wanted.tournament.limits, **changed)
    return wanted._replace(tournament=msgspec.structs.replace(wanted.tournament, limits=replaced))


def _from_options(given: dict[str, Any], limits: Limits) -> TournamentFile:
    for key, option in (("game", "--game hex"), ("agents", "--agent random")):
        if key not in given:
            raise LudusError(f"Give a tournament file, or a game and agents: '{option}' is missing.")
    running = TournamentFile(None, given.pop("workers", None), given.pop("timed", False))  # type: ignore[arg-type]
    openings = given.pop("openings", {})
    made = make_tournament(
        **given, opening_plies=openings.get("plies", 0), openings=openings.get("file"), limits=limits
    )
    return running._replace(tournament=made)


def warn(sentence: str) -> None:
    """Something that the user should know, on standard error."""
    errors().print(Text.assemble(("Mind: ", "yellow"), sentence))


@contextmanager
def until_terminated() -> Iterator[None]:
    """Take a polite end of the process for Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _bar(tournament: Tournament) -> Iterator[Watcher]:
    """A bar with episodes done, rate, time left and leader; when it is stopped, how to go on."""
    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("episodes, {task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("left {task.description}"),
    )
    last: Progress | None = None
    bar = Bar(*columns, console=errors(), transient=True, disable=not errors().is_terminal)
    task = bar.add_task("", total=None, rate="")

    def watch(progress: Progress) -> None:
        nonlocal last
        last = progress
        speed = bar.tasks[0].speed
        bar.update(
            task,
            completed=progress.done,
            total=progress.total,
            rate=f"{speed:,.0f}/s," if speed and speed >= 1 else f"{60 * speed:,.0f}/min," if speed else "",
            description=_compiling(progress) or _leader(tournament, progress),
        )

    try:
        with bar:
            yield watch
    except KeyboardInterrupt:
        done = f"{last.done:,} of {last.total:,}" if last else "All played"
        errors().print(f"Stopped. {done} episodes are stored; the same command goes on from there.")
        raise


def _compiling(progress: Progress) -> str:
    return f"[dim]compiling {', '.join(progress.compiling)}[/]" if progress.compiling else ""


def _leader(tournament: Tournament, progress: Progress) -> str:
    if not progress.played.any():
        return ""
    means = progress.points / progress.played.clip(1)
    best = int(means.argmax())
    return f"[dim]first:[/] {escape(tournament.agents[best].name)} [dim]({means[best]:.2f})[/]"
