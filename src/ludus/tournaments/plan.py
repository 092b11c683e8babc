"""Tournaments made from what a user asks for, and refusals of what cannot be played."""

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludus.core.errors import InvalidError
from ludus.episode.limits import MOST_COUNT, UNLIMITED, Limits
from ludus.episode.opening import read_openings, read_position
from ludus.episode.record import Opening
from ludus.episode.seating import suited
from ludus.games.game import Game, game_from
from ludus.tournaments.field import Pick, picks
from ludus.tournaments.formats import default_format, format_from
from ludus.tournaments.tournament import Entrant, Openings, Tournament

MOST_EPISODES, MOST_REPETITIONS, MOST_SEED = 10**9, 10**6, 2**63 - 1


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
    board: str | Path | None = None,
    limits: Limits = UNLIMITED,
) -> Tournament:
    """A tournament that can be played; `entrants` tells what agents may be. Without a name it is given one."""
    for label, text in (("game", game), ("name", name), ("format", format)):
        if text is not None and not (isinstance(text, str) and text.strip()):
            raise InvalidError(f"{label} = {text!r} is not a text with something in it.")
    if not isinstance(limits, Limits):
        raise InvalidError(f"limits = {limits!r} is not of the kind of ludus.Limits(move=10**9).")
    played = game_from(game, base=Path())
    field = field_of(agents)
    episodes = whole_number("episodes", episodes, 1, MOST_EPISODES)
    repetitions = whole_number("repetitions", repetitions, 1, MOST_REPETITIONS)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    opening_plies = whole_number("opening_plies", opening_plies, 0, MOST_COUNT)
    if bool(opening_plies) + (openings is not None) + (board is not None) > 1:
        raise InvalidError("Openings are random plies, or from a file, or one position: leave all but one of them out.")
    _check_agents(played, field)
    chosen = format_from(format or default_format(played.seats))
    if reason := chosen.unsuited(len(field), played.seats):
        raise InvalidError(f"{chosen.spec()} {reason}.")
    listed = read_openings(openings, played) if openings is not None else ()
    if board is not None:
        listed = (Opening(read_position(board, played)),)
    made = Tournament(
        name=name or "",
        game=played.spec(),
        agents=tuple(pick.entrant for pick in field),
        format=chosen.spec(),
        episodes=episodes,
        repetitions=repetitions,
        seed=seed,
        openings=Openings(opening_plies, listed),
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


def whole_number(label: str, value: Any, low: int, high: int | None = None) -> int:
    """A number that a caller may have got wrong."""
    wanted = f"from {low} to {high:,}" if high is not None else f"of at least {low}"
    try:
        number = low - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = low - 1
    if number < low or (high is not None and number > high):
        raise InvalidError(f"{label} = {value!r} is not a whole number {wanted}.")
    return number


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
