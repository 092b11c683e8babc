"""The recorded games of spe_ed, where they are at hand."""

import gzip
import json
from functools import cache
from typing import Any

from ludus.contests.speed.game import ACTIONS, ANSWERED_TWICE, DIRECTIONS, NO_ANSWER
from ludus.kernel.rules import State
from support.places import SHARED

RECORDED = SHARED / "games" / "speed.jsonl.gz"


@cache
def recorded() -> list[dict[str, Any]]:
    if not RECORDED.exists():
        return []
    with gzip.open(RECORDED, "rt") as lines:
        return [json.loads(line) for line in lines]


def as_move(messages: list[str]) -> int:
    """The result by the rules of a player's messages in a round."""
    try:
        first = ACTIONS.index(json.loads(messages[0])["action"])
    except (IndexError, KeyError, TypeError, ValueError):
        return NO_ANSWER
    return first if len(messages) == 1 else ANSWERED_TWICE + first


def shown(state: State) -> dict[str, list[Any]]:
    return {
        str(number): [x, y, DIRECTIONS[direction], speed, fell == 0]
        for number, (x, y, direction, speed, fell) in enumerate(state.players.tolist(), 1)
    }
