"""Tournaments made from a user's specification, and refusals of invalid ones."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError
from ludus.core.kinds import whole
from ludus.core.seeds import drawn_seed
from ludus.core.user_file import trust_files
from ludus.episode.limits import UNLIMITED, Limits, own_limits
from ludus.episode.opening import opening_at, read_openings
from ludus.episode.seating import suited
from ludus.games.game import Game, game_from
from ludus.tournaments.determinism import declared
from ludus.tournaments.field import Pick, picks
from ludus.tournaments.formats import Format, default_format, format_from
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Openings, Tournament

EPISODES, REPETITIONS = whole(1, 10**9), whole(1, 10**6)


class Parts(NamedTuple):
    """The objects that the specs of a tournament name; a run that gets them parses no spec again."""

    game: Game
    agents: Sequence[Agent]
    format: Format

    def reordered(self, old: Sequence[Entrant], new: Sequence[Entrant]) -> "Parts":
        """The same for the entrants in a new order."""
        agents = dict(zip(old, self.agents, strict=True))
        return self._replace(agents=[agents[entrant] for entrant in new])


def make_tournament(
    game: str | Game,
    agents: Iterable[str | Mapping[str, Any] | Entrant | Pick],
    *,
    name: str | None = None,
    format: str | Format | None = None,
    episodes: int = 1,
    repetitions: int = 1,
    seed: int | None = None,
    opening_plies: int = 0,
    openings: str | Path | None = None,
    position: str | None = None,
    limits: Limits = UNLIMITED,
) -> Tournament:
    """Create a tournament. Without a name it gets a default one, without a seed one that is drawn."""
    if name is not None:
        _refuse_other_than_text("name", name)
    if not isinstance(limits, Limits):
        raise InvalidError(f"limits = {limits!r} must be an object such as Limits(move=10**9).")
    played = given_game(game)
    field = field_of(agents)
    options = RunOptions(seed=seed, opening_plies=opening_plies)
    if (openings is not None or opening_plies) and position is not None:
        raise InvalidError("Openings are random plies, or from a file, or one position: give only one of these.")
    _check_agents(played, field)
    for entrant, agent in field:
        try:
            own_limits(limits, agent.limits)
        except InvalidError as error:
            raise InvalidError(f"{entrant.name}: {error}") from None
    chosen = given_format(format, played.seats)
    if reason := chosen.unsuited(len(field), played.seats):
        raise InvalidError(f"{chosen.spec()} {reason}.")
    plies = options.opening_plies or 0
    listed = read_openings(openings, played, plies) if openings is not None else ()
    if position is not None:
        listed = (opening_at(position, played, [pick.agent for pick in field]),)
    made = Tournament(
        name=name or "",
        game=played.spec(),
        agents=tuple(pick.entrant for pick in field),
        format=chosen.spec(),
        episodes=EPISODES.checked("episodes", episodes),
        repetitions=REPETITIONS.checked("repetitions", repetitions),
        seed=drawn_seed() if options.seed is None else options.seed,
        drawn=options.seed is None,
        openings=Openings(0 if listed else plies, listed),
        limits=_plain(limits),
        deterministic=declared(played, field),
    )
    return made if name else made.named_after(played.name)


def _plain(limits: Limits) -> Limits:
    """Equal limits, in which a default is the identical object that the identity leaves out."""
    fields = {
        name: value for name, value in msgspec.structs.asdict(limits).items() if value != getattr(UNLIMITED, name)
    }
    return Limits(**fields) if fields else UNLIMITED


def given_game(game: str | Game) -> Game:
    """The game that a spec names, with an absolute path; a game itself is returned unchanged."""
    if isinstance(game, Game):
        return game
    _refuse_other_than_text("game", game)
    trust_files([game])
    return game_from(game, base=Path())


def given_format(format: str | Format | None, seats: int) -> Format:
    """The format that a spec names, or the default for this many seats; a format itself is returned unchanged."""
    if isinstance(format, Format):
        return format
    if format is not None:
        _refuse_other_than_text("format", format)
    return format_from(format or default_format(seats))


def _refuse_other_than_text(label: str, value: Any) -> None:
    if not (isinstance(value, str) and value.strip()):
        raise InvalidError(f"{label} = {value!r} must be a text that is not empty.")


def field_of(agents: Iterable[str | Mapping[str, Any] | Entrant | Pick], folder: Path | None = None) -> list[Pick]:
    """The agents specified by a list; paths are relative to `folder`, or to the current one."""
    if isinstance(agents, str | Mapping) or not isinstance(agents, Iterable):
        raise InvalidError(f'agents = {agents!r} is not a list: write one such as ["mcts:time=1s", "random"].')
    return [pick for entry in agents for pick in picks(entry, folder)]


def _check_agents(game: Game, field: Sequence[Pick]) -> None:
    if not field:
        raise InvalidError("A tournament needs at least one agent.")
    for name, count in Counter(pick.entrant.name for pick in field).items():
        if count > 1:
            raise InvalidError(f"{count} agents are called {name}: give them different names, or remove one.")
    for entrant, agent in field:
        if agent.person:
            raise InvalidError("A person cannot take part in a tournament: use 'ludus play'.")
        if reason := agent.unsuited(game):
            if agent.has_processes:
                raise InvalidError(f"{entrant.name} {reason}.")
            raise InvalidError(
                f"{entrant.name} {reason}; these suit {game.spec()}: "
                f"{', '.join(name for name in suited(game) if name not in (agent.name, 'human'))}."
            )
