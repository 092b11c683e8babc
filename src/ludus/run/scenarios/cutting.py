"""Scenarios cut out of episodes, in the form of suites."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ludus.agents.agent import agent_from
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.text import listing, toml_text
from ludus.episode.opening import joined
from ludus.episode.record import Move, Record
from ludus.episode.replay import Scene, replay
from ludus.games.game import Game, game_from
from ludus.kernel.rules import CHANCE
from ludus.run.scenarios.scenario import Avoid, Best, Points, Result, Scenario, Success, default_opponent
from ludus.tournaments.tournament import Entrant

_LONGEST = 60  # letters of a position on one line


def cut(
    record: Record, number: int, seat: int | None = None, success: Success | None = None, name: str = ""
) -> Scenario:
    """Cut out the position before a round of an episode, for the player that moves then, or for the given seat.

    Rounds are counted from 1, or from the round with which the episode begins if positions have round numbers. By
    default the player must win; a single player must get the points of the episode.
    """
    game = game_from(record.game, base=Path())  # suites name files relative to themselves
    before, step = _at(record, game, number)
    movers = [move.seat for move in step]
    if seat is None:
        if len(movers) > 1:
            raise InvalidError(f"Seats {_listed(movers)} move in round {number}: choose the tested one with --seat.")
        seat = movers[0]
    if seat not in movers:
        raise InvalidError(f"Seat {seat + 1} does not move in round {number}, only {_listed(movers)}.")
    success = success or (Points(record.scores[seat]) if game.seats == 1 else Result("win"))
    played = next(move for move in step if move.seat == seat)
    return Scenario(
        name=name or f"round {number}",
        game=game.spec(),
        position=game.save(before.state),
        seat=seat,
        success=success.checked(game, before.state, seat),
        opponents=tuple(_opponent(game, record, other) for other in range(game.seats) if other != seat),
        note=f"{record.seats[seat].name} played {played.move or 'nothing'} here.",
    )


def _at(record: Record, game: Game, number: int) -> tuple[Scene, Sequence[Move]]:
    """The scene before a round, and the moves of that round."""
    scenes = list(replay(record, game))
    if record.steps and not all(move.move for move in record.steps[-1]):  # it disqualified its player, and has no scene
        scenes.append(Scene(scenes[-1].state, record.steps[-1]))
    rounds = [place for place, scene in enumerate(scenes) if scene.step and scene.step[0].seat != CHANCE]
    first = game.first_round(scenes[0].state)
    if not first <= number < first + len(rounds):
        raise NotFoundError(f"There is no round {number}: the episode has rounds {first} to {first + len(rounds) - 1}.")
    place = rounds[number - first]
    return scenes[place - 1], scenes[place].step


def _opponent(game: Game, record: Record, seat: int) -> Entrant:
    """The player of that seat if it can play again, otherwise the default opponent."""
    spec = record.seats[seat].agent
    try:
        agent = agent_from(spec)
        plays_again = not (agent.person or agent.awaited) and agent.unsuited(game) is None
    except LudusError:
        plays_again = False
    return Entrant(record.seats[seat].name, spec) if plays_again else default_opponent(game)


def _listed(seats: Sequence[int]) -> str:
    """Seats counted from 1."""
    return listing(str(seat + 1) for seat in seats)


# --- Writing ------------------------------------------------------------------------------------------------------


def to_toml(scenario: Scenario) -> str:
    """A scenario as a table of a suite, in the form that `read_suite` reads."""
    lines = ["[[scenario]]", f"name = {toml_text(scenario.name)}"]
    if scenario.note:
        lines.append(f"note = {toml_text(scenario.note)}")
    lines += [f"game = {toml_text(scenario.game)}", f"position = {_position(scenario.position)}"]
    lines += [f"seat = {scenario.seat + 1}", f"success = {{ {_success(scenario.success)} }}"]
    if scenario.opponents and not isinstance(scenario.success, Best | Avoid):
        lines.append(f"opponents = [{', '.join(toml_text(entrant.spec) for entrant in scenario.opponents)}]")
    return "\n".join(lines) + "\n"


def _success(success: Success) -> str:
    (value,) = msgspec.structs.astuple(success)
    if isinstance(value, tuple):
        written = f"[{', '.join(map(toml_text, value))}]"
    else:
        written = toml_text(value) if isinstance(value, str) else str(value)
    return f"{success.key} = {written}"


def _position(position: str) -> str:
    """A position on one line, or a long one with each part on its own line if it can be read back."""
    *rows, last = position.split("/")
    lines = "\n".join([*rows, *last.split(maxsplit=1)])
    if len(position) <= _LONGEST or joined(lines) != position:
        return toml_text(position)
    return f'"""\n{lines}\n"""'
