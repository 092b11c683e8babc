"""Making a tournament from what a user asks for, and refusing what cannot be played."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ludus.agents.human import Human
from ludus.catalog import agent_from, game_from
from ludus.errors import LudusError
from ludus.formats import default_format, format_from
from ludus.games.base import Game
from ludus.openings import read_openings
from ludus.players.in_process import suited
from ludus.record import UNLIMITED, Limits
from ludus.spec import Spec
from ludus.tournaments.base import Entrant, Openings, Tournament
from ludus.tournaments.saved import entrants

MOST_SEED = 2**63 - 1


def make_tournament(
    game: str,
    agents: Sequence[str | Entrant],
    *,
    name: str = "",
    format: str = "",
    episodes: int = 1,
    repetitions: int = 1,
    seed: int = 0,
    opening_plies: int = 0,
    openings: str | Path | None = None,
    limits: Limits = UNLIMITED,
    folder: Path | None = None,
) -> Tournament:
    """A tournament that can be played; paths are relative to `folder`, or to the current one."""
    folder = (folder or Path()).resolve()
    played = game_from(absolute(game, folder))
    field = [
        entrant for agent in agents for entrant in ([agent] if isinstance(agent, Entrant) else entrants(agent, folder))
    ]
    for label, number in (("episodes", episodes), ("repetitions", repetitions)):
        if number < 1:
            raise LudusError(f"{label} = {number} leaves nothing to play: take at least 1.")
    if not 0 <= seed <= MOST_SEED:
        raise LudusError(f"seed = {seed} is not a whole number from 0 to {MOST_SEED}.")
    if opening_plies < 0:
        raise LudusError(f"{opening_plies} opening plies cannot be played: take 0 or more.")
    if opening_plies and openings is not None:
        raise LudusError("Openings are either random plies or from a file, not both: leave one of them out.")
    _check_agents(played, field)
    chosen = format_from(format or default_format(played.seats))
    if reason := chosen.unsuited(len(field), played.seats):
        raise LudusError(f"{chosen.spec()} {reason}.")
    listed = read_openings(folder / openings, played) if openings is not None else ()
    made = Tournament(
        name=name,
        game=played.spec(),
        agents=tuple(field),
        format=chosen.spec(),
        episodes=episodes,
        repetitions=repetitions,
        seed=seed,
        openings=Openings(opening_plies, listed),
        limits=limits,
    )
    return made if name else msgspec.structs.replace(made, name=f"{played.name} {made.identity[:6]}")


def _check_agents(game: Game, field: Sequence[Entrant]) -> None:
    if not field:
        raise LudusError("A tournament needs agents, and none is given.")
    for name, count in Counter(entrant.name for entrant in field).items():
        if count > 1:
            raise LudusError(f"{count} agents are called {name}: give each a name of its own, or leave one out.")
    for entrant in field:
        agent = agent_from(entrant.spec)
        if isinstance(agent, Human):
            raise LudusError("A tournament is for programs: 'ludus play' lets a person play.")
        if reason := agent.unsuited(game):
            raise LudusError(
                f"{entrant.name} {reason}; these suit {game.spec()}: "
                f"{', '.join(name for name in suited(game) if name not in (agent.name, 'human'))}."
            )


def absolute(game: str, folder: Path) -> str:
    """The spec of a game whose file, if it comes from one, is named in full."""
    file = Spec.parse(game).file
    return game if file is None else f"{folder.resolve() / file}{game[len(file) :]}"
