"""The format for games of one player."""

from collections.abc import Sequence

from ludus.tournaments.formats.format import Format, Match, Rounds


class Solo(Format):
    """All agents play alone, with the same openings and seeds."""

    name = "solo"
    can_grow = True

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats != 1:
            return f"is for games of one player, but the game has {seats}"
        return None if agents else "needs at least one agent"

    def most_matches(self, agents: int, seats: int) -> int:
        return agents

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        yield [Match(0, (agent,)) for agent in range(agents)]

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        return [Match(0, (agents - 1,))]
