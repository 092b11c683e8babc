"""The data of an episode besides its film: the players, the moves with times and metrics, the end."""

from typing import Any

from ludus.agents.layers import LAYERS, MEANINGS
from ludus.core.text import printable, score
from ludus.episode.outcome import winners
from ludus.episode.record import Move, Preparation
from ludus.kernel.numbers import CHANCE
from ludus.views.boards.colours import on_dark_page, readable_on
from ludus.views.boards.painters import painter_for
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.measures import layers_in, measures_of, short
from ludus.views.episodes.reel import PIECE
from ludus.views.facts import limits

_LONGEST_LOG = 100_000  # letters, the last ones


def head_of(episode: Timeline) -> dict[str, Any]:
    """Everything about an episode but its moves and its film, for JSON."""
    record, game, painter = episode.record, episode.game, painter_for(episode.game)
    won = winners(record)
    return {
        "game": {"spec": record.game, "title": game.title, "word": painter.round_word, "board": game.board},
        "played": record.played.isoformat(),
        "ludus": record.ludus,
        "seed": str(record.seed),
        "limits": limits(record.limits),
        "ending": record.ending.value,
        "ended": record.ending.words,
        "result": episode.result,
        "players": [
            {
                "name": seat.name,
                "agent": seat.agent,
                "colour": (colour := painter.colours[number % len(painter.colours)]),
                "dark": on_dark_page(colour),
                "ink": readable_on(colour),
                "score": score(record.scores[number]),
                "won": seat.name in won,
                "log": seat.log[-_LONGEST_LOG:],
                "remarks": seat.remarks,
                "unready": _unready(seat.preparation),
            }
            for number, seat in enumerate(record.seats)
        ],
        "out": [{"seat": out.seat, "step": out.step, "fault": out.fault.words} for out in record.out],
        "opening": len(record.opening.moves),
        "position": record.opening.position,
        "positions": len(episode.moments),
        "piece": PIECE,
        "layers": MEANINGS,
        "rounds": [moment.round - 1 for moment in episode.moments],
    }


def _unready(made: Preparation | None) -> dict[str, str] | None:
    """The fault of a player that did not get ready, if it has one."""
    if made is None or made.fault is None:
        return None
    return {"fault": made.fault.words, "evidence": printable_lines(made.evidence)}


def moves_of(episode: Timeline) -> list[dict[str, Any]]:
    """All moves in order, for JSON; `place` is the position that a move led to, and times are nanoseconds.

    The moves of a last step that was not carried out have `played: false` and the last place.
    """
    clocks, end = episode.clocks(), len(episode.moments) - 1
    found = []
    for place, moment in enumerate(episode.moments):
        for move in moment.step:
            left = clocks[place][move.seat][1] if move.seat != CHANCE else None
            found.append(_move(place, move, left))
    found += [{**_move(end, move, None), "played": False} for move in episode.answers(end)]
    return found


def _move(place: int, move: Move, left: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {"place": place, "seat": move.seat, "text": move.move}
    if move.wall:
        found["time"] = move.wall
    if left is not None:
        found["left"] = left
    if move.fault is not None:
        found |= {"fault": move.fault.words, "evidence": printable_lines(move.evidence)}
    if names := layers_in(move):
        found["layers"] = names
    metrics = {name: value for name, value in move.metrics.items() if name != LAYERS}
    if metrics:
        found["metrics"] = {name: short(value) for name, value in metrics.items()}
    if measures := measures_of(metrics):
        found["measures"] = measures
    return found


def printable_lines(text: str) -> str:
    """A text of several lines without characters that are not printable."""
    return "\n".join(map(printable, text.splitlines()))
