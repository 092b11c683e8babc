"""What people call an episode: TOURNAMENT/MATCH.EPISODE, or TOURNAMENT/REPETITION.MATCH.EPISODE; all count from 1."""

import re

from ludus.core.errors import InvalidError
from ludus.episode.record import Key

_EPISODE = re.compile(r".+/\d+\.\d+(\.\d+)?")


def names_episode(text: str) -> bool:
    """Whether a text could be the name of an episode."""
    return _EPISODE.fullmatch(text) is not None


def episode_name(tournament: int | str, key: Key, repetitions: int) -> str:
    """The name of an episode."""
    numbers = key if repetitions > 1 else key[1:]
    return f"{tournament}/{'.'.join(str(number + 1) for number in numbers)}"


def episode_key(name: str, place: str, repetitions: int) -> Key:
    """The key of an episode from the last part of its name."""
    numbers = [int(part) - 1 for part in place.split(".") if part.isdecimal() and len(part) < 20]
    if len(numbers) == 2 and repetitions == 1:
        numbers.insert(0, 0)
    if len(numbers) != 3 or not all(0 <= number < 2**31 for number in numbers):
        form = "MATCH.EPISODE" if repetitions == 1 else "REPETITION.MATCH.EPISODE"
        raise InvalidError(f"'{name}' names no episode: write TOURNAMENT/{form}, counted from 1.")
    return Key(*numbers)
