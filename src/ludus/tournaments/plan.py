"""Tournaments made from what a user asks for, and refusals of what cannot be played."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.kinds import whole
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.opening import position_from, read_openings
from ludus.episode.record import Opening
from ludus.episode.seating import suited
from ludus.games.game import Game, game_from
from ludus.tournaments.field import Pick, picks
from ludus.tournaments.formats import default_format, format_from
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Openings, Tournament

EPISODES, REPETITIONS = whole(1, 10**9), whole(1, 10**6)


def make_tournament(
    game: str,
    agents: Iterable[str | Mapping[str, Any] | Entrant],
    *,
    name: str | None = None,
    format: str | None = None,
    episodes: int = 1,
    repetitions: int = 1,
    seed: int = 0,
    opening_plies: int = 0,
    openings: str | Path | None = None,
    position: str | None = None,
    limits: Limits = UNLIMITED,
) -> Tournament:
    """A tournament that can be played; `entrants` tells what agents may be. Without a name it is given one."""
    for label, text in (("game", game), ("name", name), ("format", format)):
        if text is not None and not (isinstance(text, str) and text.strip()):
            raise InvalidError(f"{label} = {text!r} is not a text with something in it.")
    if not isinstance(limits, Limits):
        raise InvalidError(f"limits = {limits!r} is not of the kind of Limits(move=10**9).")
    played = game_from(game, base=Path())
    field = field_of(agents)
    options = RunOptions(seed=seed, opening_plies=opening_plies)
    if bool(opening_plies) + (openings is not None) + (position is not None) > 1:
        raise InvalidError("Openings are random plies, or from a file, or one position: leave all but one of them out.")
    _check_agents(played, field)
    chosen = format_from(format or default_format(played.seats))
    if reason := chosen.unsuited(len(field), played.seats):
        raise InvalidError(f"{chosen.spec()} {reason}.")
    listed = read_openings(openings, played) if openings is not None else ()
    if position is not None:
        listed = (Opening(position_from(position, played)),)
    made = Tournament(
        name=name or "",
        game=played.spec(),
        agents=tuple(pick.entrant for pick in field),
        format=chosen.spec(),
        episodes=EPISODES.checked("episodes", episodes),
        repetitions=REPETITIONS.checked("repetitions", repetitions),
        seed=options.seed or 0,
        openings=Openings(options.opening_plies or 0, listed),
        limits=_plain(limits),
    )
    return made if name else msgspec.structs.replace(made, name=f"{played.name} {made.identity[:6]}")


def _plain(limits: Limits) -> Limits:
    """Equal limits, in which a default is the very object that the identity leaves out."""
    fields = {
        name: value for name, value in msgspec.structs.asdict(limits).items() if value != getattr(UNLIMITED, name)
    }
    return Limits(**fields) if fields else UNLIMITED


def field_of(agents: Iterable[str | Mapping[str, Any] | Entrant | Pick], folder: Path | None = None) -> list[Pick]:
    """The agents that a list stands for; paths are relative to `folder`, or to the current one."""
    if isinstance(agents, str | Mapping) or not isinstance(agents, Iterable):
        raise InvalidError(f'agents = {agents!r} is not a list: write one such as ["mcts:time=1s", "random"].')
    return [pick for entry in agents for pick in picks(entry, folder)]


def _check_agents(game: Game, field: Sequence[Pick]) -> None:
    if not field:
        raise InvalidError("A tournament needs agents, and none is given.")
    for name, count in Counter(pick.entrant.name for pick in field).items():
        if count > 1:
            raise InvalidError(f"{count} agents are called {name}: give each a name of its own, or leave one out.")
    for entrant, agent in field:
        if agent.person:
            raise InvalidError("A tournament is for programs: 'ludus play' lets a person play.")
        if reason := agent.unsuited(game):
            if agent.has_processes:
                raise InvalidError(f"{entrant.name} {reason}.")
            raise InvalidError(
                f"{entrant.name} {reason}; these suit {game.spec()}: "
                f"{', '.join(name for name in suited(game) if name not in (agent.name, 'human'))}."
            )
