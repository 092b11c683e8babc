"""The base of formats for two seats."""

from copy import copy
from typing import TYPE_CHECKING

from ludus.core.errors import InvalidError
from ludus.tournaments.formats.format import Format
from ludus.tournaments.formats.lots import Lots

FIELD, RANDOM = "field", "random"
SEEDING = "field (its order), random, or a stored tournament, by name or number: the order of the ratings there"
"""The values of the parameter `seeding`, for its help."""


class PairFormat(Format):
    """A format for games of two players."""

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats != 2:
            remedy = "solo" if seats == 1 else "seatings"
            return f"is for two players, but the game has {seats}: use the format {remedy}"
        if agents < 2:
            return f"needs at least 2 agents, but there {'is' if agents == 1 else 'are'} {agents}"
        return None


class SeededFormat(PairFormat):
    """A format that orders its agents before the first round; it declares a parameter `seeding`."""

    if TYPE_CHECKING:
        seeding: str

    @property
    def seeded_by(self) -> str | None:
        return None if self.seeding in (FIELD, RANDOM) else self.seeding

    def in_field_order(self) -> "SeededFormat":
        ordered = copy(self)
        ordered.seeding = FIELD
        return ordered

    def seeds(self, agents: int, lots: Lots) -> list[int]:
        """The agents from the best seed to the last: in the order of the field, or at random."""
        if self.seeded_by is not None:
            raise InvalidError(f"{self.spec()} needs a store with that tournament: only a run has one.")
        return lots.shuffled(range(agents)) if self.seeding == RANDOM else list(range(agents))
