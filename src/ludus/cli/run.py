"""`ludus run`: a tournament, from a file or from options."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from ludus.cli import results
from ludus.cli.completion import complete_agent, complete_format, complete_game
from ludus.cli.gate import GATE_OPTIONS, gate_for, remote_among
from ludus.cli.live_standings import live_standings
from ludus.cli.options import JsonOption, StoreOption, given, number_option, value_option, with_options
from ludus.cli.screen import warn
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.kinds import NAME
from ludus.run.runner import run
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.tournaments.bot_folder import bot_in, bots_in, skipped_in
from ludus.tournaments.config import config
from ludus.tournaments.file import Plan, plan, read_tournament
from ludus.tournaments.plan import EPISODES
from ludus.views.folder_files import write_folder_files

EXAMPLE = (
    "Example: ludus run --game hex:size=4 --agent maxn:depth=[4,6] --agent mcts:simulations=500 --agent random "
    '--episodes 10 --opening-plies 1 --name "Hex cup"'
)


@with_options(gate=GATE_OPTIONS)
def run_tournament(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE | BOT…",
            help="A tournament file (TOML); options override its values. With --folder: names of bots.",
            show_default=False,
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with one subfolder per bot, such as Bot1/Bot1.py or Bot1/bot.py; points.csv and default.log "
            "are written there.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game, such as 'hex:size=4'.", autocompletion=complete_game),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="An agent; repeat the option for more. 'maxn:depth=[4,6]' is two agents, './mybot' a bot, '@NAME' a "
            "saved agent; a folder stands for all agents saved in it.",
            autocompletion=complete_agent,
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help="Tournament format, such as 'swiss:rounds=5'.", autocompletion=complete_format
        ),
    ] = None,
    episodes: Annotated[int | None, number_option("--episodes", "Number of episodes per match.")] = None,
    short: Annotated[
        str | None, value_option(NAME, "-n", "Same as --episodes; with --folder, same as --name.", metavar="N")
    ] = None,
    games: Annotated[
        int | None,
        number_option("--games -m", "Games per pairing, instead of --episodes; the bots take turns moving first."),
    ] = None,
    repetitions: Annotated[
        int | None,
        number_option("--repetitions", "Play the whole tournament N times, with different seeds."),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
    *,
    options: dict[str, Any],
    limits: dict[str, Any],
    gate: dict[str, Any],
) -> None:
    """Run a tournament, or continue one that was stopped, and show its results."""
    if short is not None:
        target = "name" if folder is not None else "episodes"
        if target in options or (target == "episodes" and episodes is not None):
            raise InvalidError(f"-n and --{target} mean the same here: leave out one of them.")
        if target == "name" and short.isdecimal():
            raise InvalidError(
                f"A tournament cannot be called '{short}', and -n is its name with --folder: write --episodes {short}."
            )
        if target == "name":
            options["name"] = short
        else:
            episodes = EPISODES.checked("-n", int(short) if short.isdecimal() else short)
    content = options | given(
        game=game, agents=agents or None, format=format, episodes=episodes, repetitions=repetitions
    )
    words = words or []
    if games is not None:
        if episodes is not None:
            raise InvalidError("--games and --episodes both set the number of games: leave out one of them.")
        content["games"] = games
    if folder is not None:
        names = words or bots_in(folder)
        for sentence in [] if words else skipped_in(folder):
            warn(sentence)
        if not names and not agents:
            raise NotFoundError(
                f"{folder} contains no bot: put each into a folder of its own, such as Bot1/Bot1.py or Bot1/bot.py."
            )
        content["agents"] = [*(bot_in(folder, name) for name in names), *(agents or [])]
    elif len(words) > 1:
        raise InvalidError(f"Give one tournament file, not {len(words)}; names of bots need --folder.")
    if words and folder is None:
        planned = read_tournament(words[0], content | {"limits": limits})
    else:
        for key, example in (("game", "--game hex"), ("agents", "--agent random")):
            if key not in content:
                raise InvalidError(f"Give a tournament file, or a game and agents: '{example}' is missing.")
        planned = plan(**content, limits=limits)
    remote = remote_among(planned.parts.agents)
    if remote:
        planned = _in_this_process(planned)
    with open_store(store) as opened:
        with gate_for(planned.parts.game, remote, **gate):
            id = play(planned, opened)
        if folder is not None:
            _leave_files(opened, id, folder)
        results.show_results(opened, id, as_json=as_json)


def _leave_files(store: Store, id: int, folder: Path) -> None:
    try:
        write_folder_files(load(id, store), folder)
    except LudusError as error:  # the results are stored all the same
        warn(str(error))


def _in_this_process(planned: Plan) -> Plan:
    """The plan of a tournament in which remote players take part."""
    usual = config().options
    for option in ("workers", "timed"):
        if (value := getattr(planned.options, option)) and value != usual.get(option):
            raise InvalidError(f"A tournament with remote players runs in this process: leave out --{option}.")
    return planned._replace(options=msgspec.structs.replace(planned.options, workers=0, timed=False))


def play(planned: Plan, store: Store, kind: str = "run") -> int:
    """Play what is not stored yet, and show how it goes; the number of the tournament. `kind` is the command."""
    tournament, options, parts = planned.tournament, planned.options, planned.parts
    with live_standings(parts.game.seats) as watch:
        return run(tournament, store, options, parts=parts, kind=kind, watch=watch, tell=warn).id
