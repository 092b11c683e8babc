"""The base of formats for two seats."""

from ludus.tournaments.formats.format import Format
from ludus.tournaments.formats.lots import Lots

FIELD, RANDOM = "field", "random"
SEEDING = (FIELD, RANDOM)
"""Values of the parameter `seeding`."""


class PairFormat(Format):
    """A format for games of two players."""

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats != 2:
            remedy = "solo" if seats == 1 else "seatings"
            return f"is for two players, but the game has {seats}: use the format {remedy}"
        if agents < 2:
            return f"needs at least 2 agents, but there {'is' if agents == 1 else 'are'} {agents}"
        return None


def seeded(agents: int, seeding: str, lots: Lots) -> list[int]:
    """The agents from the best seed to the last: in the order of the field, or at random."""
    return lots.shuffled(range(agents)) if seeding == RANDOM else list(range(agents))
