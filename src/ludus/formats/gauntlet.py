"""A gauntlet: one against all."""

from ludus.formats.base import Match, Rounds
from ludus.formats.pairing import PairFormat
from ludus.spec import param


class Gauntlet(PairFormat):
    """One agent against each of the others, who do not meet."""

    name = "gauntlet"
    agent: int = param(1, "who runs it: its number in the field, counted from 1", low=1)
    swap: bool = param(True, "play each meeting with both seatings; else the first move alternates")

    def unsuited(self, agents: int, seats: int) -> str | None:
        if reason := super().unsuited(agents, seats):
            return reason
        if self.agent > agents:
            return f"lets agent {self.agent} run it, and there are only {agents} agents"
        return None

    def most_matches(self, agents: int, seats: int) -> int:
        return (agents - 1) * (1 + self.swap)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        runner = self.agent - 1
        matches = []
        for turn, other in enumerate(other for other in range(agents) if other != runner):
            seatings = [(runner, other), (other, runner)]
            matches += [Match(turn, seating) for seating in (seatings if self.swap else [seatings[turn % 2]])]
        yield matches
