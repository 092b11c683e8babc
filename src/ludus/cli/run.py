"""`ludus run`: a tournament, from a file or from options."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from ludus.agents.agent import agent_from
from ludus.cli import results
from ludus.cli.gate import (
    LOCAL,
    CertificateOption,
    HostOption,
    KeysOption,
    PortOption,
    PrivateKeyOption,
    gate_for,
    remote_among,
)
from ludus.cli.options import PatienceOption, StoreOption, given, with_limits
from ludus.cli.screen import errors
from ludus.core.errors import InvalidError, NotFoundError
from ludus.episode.limits import Limits
from ludus.games.game import game_from
from ludus.run.pool import PATIENCE
from ludus.run.runner import Progress, Watcher, run
from ludus.store import Store, open_store
from ludus.tournaments.bot_folder import bot_in, bots_in
from ludus.tournaments.file import Plan, plan, read_tournament
from ludus.tournaments.tournament import Tournament

EXAMPLE = (
    "Example: ludus run --game hex:size=4 --agent maxn:depth=[4,6] --agent mcts:simulations=500 --agent random "
    '--episodes 10 --opening-plies 1 --name "Hex cup"'
)

OpeningPliesOption = Annotated[int | None, typer.Option(min=0, help="Begin with so many random plies.")]
OpeningsOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Begin with the openings of a file.")]
BoardOption = Annotated[
    Path | None, typer.Option("--board", "-B", metavar="FILE", help="Begin with the position of a file.")
]
SeedOption = Annotated[int | None, typer.Option(min=0, help="Where all chance comes from.")]
NameOption = Annotated[str | None, typer.Option("--name", "-n", metavar="NAME", help="What it is called.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(min=0, help="Worker processes; as many as there are cores if not given; 0: play in this process."),
]
TimedOption = Annotated[
    bool | None, typer.Option("--timed/--no-timed", help="Give each episode a core of its own.", show_default=False)
]


@with_limits
def run_tournament(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE | BOT…",
            help="A tournament file (TOML), of which options replace what it says; or, with --folder, names of bots.",
            show_default=False,
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where the bots are: a folder each, named like its program; without names, all of them."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="The game, as in 'hex:size=4'.")] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="An agent, any number of times; 'maxn:depth=[4,6]' is two, './mybot' a bot, '@NAME' a saved one, a "
            "folder many.",
        ),
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Who meets whom, as in 'swiss:rounds=5'.")
    ] = None,
    episodes: Annotated[int | None, typer.Option(min=1, help="Episodes of a match.")] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-m", min=1, help="Games of a meeting of two, who open in turn.")
    ] = None,
    repetitions: Annotated[
        int | None, typer.Option(min=1, help="Play the whole tournament so often, with other seeds.")
    ] = None,
    opening_plies: OpeningPliesOption = None,
    openings: OpeningsOption = None,
    board: BoardOption = None,
    seed: SeedOption = None,
    name: NameOption = None,
    workers: WorkersOption = None,
    timed: TimedOption = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the results as JSON.")] = False,
    port: PortOption = None,
    host: HostOption = LOCAL,
    keys: KeysOption = None,
    certificate: CertificateOption = None,
    private_key: PrivateKeyOption = None,
    *,
    limits: dict[str, Any],
    patience: PatienceOption = PATIENCE,
) -> None:
    """Run a tournament, or go on with one that was stopped, and show its results."""
    content = given(
        game=game,
        agents=agents or None,
        name=name,
        format=format,
        episodes=episodes,
        repetitions=repetitions,
        seed=seed,
        opening_plies=opening_plies,
        openings=openings,
        board=board,
        workers=workers,
        timed=timed,
    )
    words = words or []
    if games is not None:
        content |= _meetings(games, content)
    if folder is not None:
        names = words or bots_in(folder)
        if not names and not agents:
            raise NotFoundError(
                f"There is no bot in {folder}: each has a folder of its own, named like its program: Bot1/Bot1.py."
            )
        content["agents"] = [*(bot_in(folder, name) for name in names), *(agents or [])]
    elif len(words) > 1:
        raise InvalidError(f"One tournament file is run at a time, and not {len(words)}; names of bots need --folder.")
    if words and folder is None:
        planned = read_tournament(words[0], content | {"limits": limits})
    else:
        for key, option in (("game", "--game hex"), ("agents", "--agent random")):
            if key not in content:
                raise InvalidError(f"Give a tournament file, or a game and agents: '{option}' is missing.")
        planned = plan(**content, limits=Limits(**limits))
    remote = remote_among([agent_from(entrant.spec) for entrant in planned.tournament.agents])
    if remote and planned.workers:
        raise InvalidError("A tournament with remote players is played in this process: leave out --workers.")
    if remote and planned.timed:
        raise InvalidError("A tournament with remote players is played in this process: leave out --timed.")
    with open_store(store) as opened:
        with gate_for(game_from(planned.tournament.game), remote, port, host, keys, certificate, private_key):
            id = play(planned._replace(workers=0) if remote else planned, opened, patience)
        results.show_results(opened, id, as_json=as_json)


def play(planned: Plan, store: Store, patience: int) -> int:
    """Play what is not stored yet, with a bar that tells how far it is; the number of the tournament."""
    with _bar(planned.tournament) as watch:
        ran = run(
            planned.tournament,
            store,
            workers=planned.workers,
            timed=planned.timed,
            patience=patience,
            watch=watch,
            tell=warn,
        )
    return ran.id


def _meetings(games: int, content: dict[str, Any]) -> dict[str, Any]:
    """So many games of each two, as format and episodes."""
    if "episodes" in content or "format" in content:
        raise InvalidError("--games says who meets whom and how often: leave out --format and --episodes.")
    if games == 1:
        return {"format": "single-round-robin", "episodes": 1}
    if games % 2:
        raise InvalidError(f"Of {games} games one bot would open one more than the other: give an even number, or 1.")
    return {"format": "double-round-robin", "episodes": games // 2}


def warn(sentence: str) -> None:
    """Something that the user should know, on standard error."""
    errors().print(Text.assemble(("Mind: ", "yellow"), sentence))


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
