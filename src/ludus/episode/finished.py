"""What the store keeps of one episode."""

import msgspec

from ludus.episode.record import Ending
from ludus.tournaments.tournament import Key


class Episode(msgspec.Struct, array_like=True, frozen=True):
    """One episode as a worker hands it in: what tables are made from, and the packed record.

    `walls` and `faults` have an entry for each seat: the nanoseconds of each of its moves, and how many of its answers
    were at fault. `course` is a hash of opening, moves and ending: two episodes of one match with the same course are
    one piece of evidence.
    """

    key: Key
    played: int  # microseconds since 1970, UTC
    wall: int  # nanoseconds from the first request to the end
    plies: int
    scores: tuple[float, ...]
    ending: Ending
    by: tuple[int, ...]
    course: int  # 63 bits
    walls: tuple[list[int], ...]
    faults: tuple[int, ...]
    packed: bytes
