"""A process that lets an agent think about a position, and nothing else; the site ends it if it takes too long.

It reads one question as JSON on standard input, and writes one answer.
"""

import json
import sys
from typing import Any

import msgspec

from ludus.agents.agent import Clock, View, agent_from
from ludus.core.errors import InvalidError, LudusError
from ludus.core.seeds import drawn_seed
from ludus.core.user_file import hold_back_too
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.views.boards.seen_layers import see
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.drawn_layers import with_layer
from ludus.views.episodes.measures import measures_of
from ludus.views.episodes.variation import Variation


class Question(msgspec.Struct):
    """A question about a position of an episode: a move, or with `layer` what its agent sees."""

    record: Record
    place: int
    steps: list[list[str]] = []
    seat: int = 0
    agent: str = ""
    time: int = 0  # nanoseconds
    layer: str = ""
    held_back: dict[str, str] = {}


def answer(question: Question) -> dict[str, Any]:
    """The answer for the page."""
    hold_back_too(question.held_back)
    episode = Timeline(question.record, game_from(question.record.game))
    if question.layer:
        return with_layer(episode, question.place, see(episode, question.place, question.layer, None))
    variation = Variation(episode, question.place, question.steps)
    game, state = variation.game, variation.state
    if variation.is_over or question.seat not in game.movers(state):
        raise InvalidError(f"Player {question.seat + 1} is not to move.")
    agent = agent_from(question.agent)
    agent.prepare(game)
    agent.begin(game, question.seat, drawn_seed())
    view = View(state, question.seat, variation.history)
    choice = agent.choose(view, Clock(move=question.time))
    return {"move": game.format(state, question.seat, int(choice.move)), "measures": measures_of(choice.metrics)}


def main() -> None:
    """Answer the question on standard input."""
    try:
        found = answer(msgspec.json.decode(sys.stdin.buffer.read(), type=Question))
    except LudusError as error:
        found = {"error": str(error)}
    except Exception as error:
        found = {"error": f"The agent failed: {type(error).__name__}: {error}"}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
