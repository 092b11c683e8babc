"""`ludus play`: episodes between agents, with a table of how each did."""

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.gate import GATE_OPTIONS, gate_for, remote_among
from ludus.cli.options import EpisodesOption, with_options
from ludus.cli.progress import progress, told_if_slow
from ludus.cli.screen import output
from ludus.cli.show import Show, verdict
from ludus.cli.tally import Tally
from ludus.core.errors import InvalidError
from ludus.core.seeds import seed_from
from ludus.core.text import plural
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits
from ludus.episode.local_player import player_for
from ludus.episode.opening import position_from, random_opening, read_openings
from ludus.episode.player import Player
from ludus.episode.record import Opening, Record
from ludus.episode.referee import Watcher
from ludus.episode.replay import replay
from ludus.episode.seating import check_seats, prepare, seated
from ludus.games.game import Game, game_from
from ludus.run.stopping import interruptible
from ludus.tournaments.field import pick_from
from ludus.tournaments.run_options import RunOptions

EXAMPLE = "Example: ludus play connect-four mcts:simulations=1000 random --episodes 10 --move-time 100ms"


@with_options(without=["name", "workers", "timed", "patience"], gate=GATE_OPTIONS)
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
    as_json: Annotated[bool, typer.Option("--json", help="Write records only, one line of JSON each.")] = False,
    *,
    options: dict[str, Any],
    limits: dict[str, Any],
    gate: dict[str, Any],
) -> None:
    """Play episodes between agents."""
    chosen = game_from(game, len(agents or []), base=Path())
    picked = [pick_from(text) for text in agents or []]
    made = [pick.agent for pick in picked]
    check_seats(chosen, made)
    if "memory" in limits and not any(agent.has_processes for agent in made):
        raise InvalidError("'ludus play' limits the memory of bots only; 'ludus run' also limits that of agents.")
    names = _distinct([pick.entrant.name for pick in picked])
    players = [player_for(agent, name) for agent, name in zip(made, names, strict=True)]
    series = Series(chosen, players, Limits(**limits), RunOptions(**options))
    with told_if_slow(f"Compiling {chosen.spec()} and its agents; next time this is quick …"):
        prepare(chosen, made)
    door = gate_for(chosen, remote_among(made), **gate)
    with interruptible(), door, seated(players, chosen):
        if as_json:
            _write_records(series, episodes)
        else:
            _report(series, episodes, show)


class Series:
    """Episodes between the same agents, whose seats rotate."""

    def __init__(self, game: Game, players: Sequence[Player], limits: Limits, options: RunOptions) -> None:
        self.game = game
        self.players = players
        self.limits = limits
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self._plies = options.opening_plies or 0
        self._position = None if options.position is None else position_from(options.position, game)
        self._listed = () if options.openings is None else read_openings(options.openings, game)
        if self._listed and (self._plies or self._position):
            raise InvalidError("A file holds whole openings: leave out --opening-plies and --position.")

    def seating(self, number: int) -> list[int]:
        """The numbers of the agents, seat by seat, in that episode."""
        seats = len(self.players)
        return [(seat + number) % seats for seat in range(seats)]

    def opening(self, number: int) -> Opening:
        """The opening of that episode: the same in all episodes of one rotation."""
        rotation = number // len(self.players)
        if self._listed:
            return self._listed[rotation % len(self._listed)]
        return random_opening(self.game, self._plies, seed_from(self.seed, "opening", rotation), self._position)

    def play(self, number: int, watch: Watcher | None = None) -> Record:
        """Play that episode."""
        return play_episode(
            self.game,
            [self.players[agent] for agent in self.seating(number)],
            limits=self.limits,
            seed=seed_from(self.seed, "episode", number),
            opening=self.opening(number),
            watch=watch,
            name=f"play-{self.seed}-{number}",
        )

    def has_humans(self) -> bool:
        """Whether a person takes part."""
        return any(player.agent.person for player in self.players)


def _distinct(names: Sequence[str]) -> list[str]:
    return [f"{name} #{names[:i].count(name) + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)]


def _write_records(series: Series, episodes: int) -> None:
    with progress(episodes, visible=not sys.stdout.isatty() and not series.has_humans()) as advance:
        for number in range(episodes):
            print(series.play(number).to_json(), flush=True)
            advance()


def _report(series: Series, episodes: int, show: bool) -> None:
    tally = Tally([player.name for player in series.players])
    drawn = show or series.has_humans()
    with progress(episodes, visible=not drawn) as advance:
        for number in range(episodes):
            record = _play_and_draw(series, number) if drawn else series.play(number)
            tally.add(record, series.seating(number))
            advance()
    if episodes == 1 and not drawn:
        output().print(verdict(record), end="\n\n")
    output().print(tally.render())
    output().print(f"\n[dim]{_about(series, episodes)}[/]")


def _play_and_draw(series: Series, number: int) -> Record:
    names = [series.players[agent].name for agent in series.seating(number)]
    drawn = Show(series.game, names, series.opening(number))
    if series.has_humans():  # they are shown the board when they are to move, but not the end
        record = series.play(number)
        *earlier, last = replay(record, series.game)
        for scene in earlier:
            drawn.count(scene.step)
        drawn.step(last.state, last.step)
    else:
        drawn.start()
        record = series.play(number, drawn.step)
    drawn.end(record)
    return record


def _about(series: Series, episodes: int) -> str:
    seats = len(series.players)
    words = f"{series.game.spec()}, {plural(episodes, 'episode')}, seed {series.seed}."
    if seats == 1 or episodes == 1:
        return words
    if episodes % seats:
        return (
            f"{words} The seats rotated, but {episodes:,} is no multiple of {seats}: some agents had a seat more often."
        )
    return f"{words} The seats rotated: each agent had each seat {_times(episodes // seats)}."


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n:,} times")
