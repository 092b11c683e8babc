"""`ludus play`: episodes between agents, with a table of how each did."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.gate import GATE_OPTIONS, gate_for, remote_among
from ludus.cli.options import EpisodesOption, with_options
from ludus.cli.progress import progress, shown_if_slow
from ludus.cli.screen import errors, output, print_board, print_utf8
from ludus.cli.show import Show, verdict
from ludus.cli.tally import rendered
from ludus.core.errors import LudusError
from ludus.core.user_file import trust_files
from ludus.episode.record import Record
from ludus.episode.replay import replay
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State
from ludus.run.series import Series, about
from ludus.run.stopping import interruptible
from ludus.stats.tally import Tally
from ludus.tournaments.field import pick_from
from ludus.tournaments.run_options import NOT_FOR_SERIES, RunOptions

EXAMPLE = "Example: ludus play connect-four mcts:simulations=1000 random --episodes 10 --move-time 100ms"


@with_options(without=NOT_FOR_SERIES, gate=GATE_OPTIONS)
def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="The game, such as 'hex:size=5'; see 'ludus list games'.", autocompletion=complete_game
        ),
    ],
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="One per seat, such as 'mcts:time=1s', './mybot' or '@NAME'; see 'ludus list agents'.",
            autocompletion=complete_agent,
        ),
    ] = None,
    episodes: EpisodesOption = 1,
    show: Annotated[bool, typer.Option("--show", help="Draw every position.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write only the records, one line of JSON each.")] = False,
    *,
    options: dict[str, Any],
    limits: dict[str, Any],
    gate: dict[str, Any],
) -> None:
    """Play episodes between agents."""
    trust_files([game])
    chosen = game_from(game, len(agents or []), base=Path())
    field = [pick_from(text) for text in agents or []]
    series = Series(chosen, field, limits, RunOptions(**options))
    with shown_if_slow(f"Compiling {chosen.spec()} and its agents; next time this is quick …"):
        series.prepare()
    door = gate_for(chosen, remote_among([pick.agent for pick in field]), **gate)
    tally = Tally(series.names)
    with interruptible(), door, series.seated():
        if as_json:
            _write_records(series, episodes, tally)
        else:
            _report(series, episodes, show, tally)
    if complaint := tally.unready():
        raise LudusError(complaint)


def _draw(game: Game, state: State, before: State | None) -> None:
    """Draw the board for a person, whose conversation is on standard error."""
    print_board(game, state, before, errors())


def _write_records(series: Series, episodes: int, tally: Tally) -> None:
    with progress(episodes, visible=not sys.stdout.isatty() and not series.has_humans) as advance:
        for number in range(episodes):
            record = series.play(number, draw=_draw)
            print_utf8(record.to_json())
            sys.stdout.flush()
            tally.add(record, series.seating(number))
            advance()


def _report(series: Series, episodes: int, show: bool, tally: Tally) -> None:
    drawn = show or series.has_humans
    with progress(episodes, visible=not drawn) as advance:
        for number in range(episodes):
            record = _play_and_draw(series, number) if drawn else series.play(number)
            tally.add(record, series.seating(number))
            advance()
    if episodes == 1 and not drawn:
        output().print(verdict(record), end="\n\n")
    output().print(rendered(tally))
    output().print(f"\n[dim]{about(series.game, episodes, series.seed)}[/]")


def _play_and_draw(series: Series, number: int) -> Record:
    names = [series.players[agent].name for agent in series.seating(number)]
    drawn = Show(series.game, names, series.opening(number))
    if series.has_humans:  # they are shown the board when they are to move, but not the end
        record = series.play(number, draw=_draw)
        *earlier, last = replay(record, series.game)
        for scene in earlier:
            drawn.skip(scene.state, scene.step)
        drawn.step(last.state, last.step)
    else:
        drawn.start()
        record = series.play(number, drawn.step)
    drawn.end(record)
    return record
