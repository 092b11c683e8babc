"""Success rates with error bars, by scenario and agent."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.episode.record import Fault, Record
from ludus.run.scenarios.scenario import Suite
from ludus.run.scenarios.scenario_run import Trial
from ludus.stats.intervals import wilson
from ludus.tournaments.tournament import Entrant


class Rate(NamedTuple):
    """Successes and episodes."""

    successes: int
    episodes: int

    @property
    def share(self) -> float:
        """The share of successes, if there are episodes."""
        return self.successes / self.episodes

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the probability of success."""
        low, high = wilson(self.successes, self.episodes)
        return float(low), float(high)


class Tally:
    """The successes of agents on the scenarios of a suite, with times and faults."""

    def __init__(self, suite: Suite, agents: Sequence[Entrant]) -> None:
        self.suite = suite
        self.agents = agents
        self._successes: Counter[tuple[int, int]] = Counter()  # by scenario and agent
        self._episodes: Counter[tuple[int, int]] = Counter()
        self._moves: Counter[int] = Counter()  # by agent
        self._wall: Counter[int] = Counter()
        self._faults: Counter[tuple[int, Fault]] = Counter()
        self._opponents_faults: Counter[tuple[int, Fault]] = Counter()

    def add(self, trial: Trial) -> None:
        """Count one episode."""
        place = trial.scenario, trial.agent
        self._episodes[place] += 1
        self._successes[place] += trial.success
        seat = self.suite.scenarios[trial.scenario].seat
        own = [move for move in trial.record.answers() if move.seat == seat]
        self._moves[trial.agent] += len(own)
        self._wall[trial.agent] += sum(move.wall for move in own)
        faults = _faults(trial.record)
        self._faults.update({(trial.agent, fault) for at, fault in faults if at == seat})
        self._opponents_faults.update({(trial.agent, fault) for at, fault in faults if at != seat})

    @property
    def episodes(self) -> int:
        """Number of counted episodes."""
        return self._episodes.total()

    def rate(self, scenario: int, agent: int) -> Rate:
        """Successes of an agent in one scenario."""
        return Rate(self._successes[scenario, agent], self._episodes[scenario, agent])

    def total(self, agent: int) -> Rate:
        """Successes of an agent in all scenarios."""
        rates = [self.rate(scenario, agent) for scenario in range(len(self.suite.scenarios))]
        return Rate(sum(rate.successes for rate in rates), sum(rate.episodes for rate in rates))

    def pace(self, agent: int) -> float | None:
        """The mean time of an agent's moves in nanoseconds; None if it made none."""
        return self._wall[agent] / self._moves[agent] if self._moves[agent] else None

    def faults(self, agent: int) -> dict[Fault, int]:
        """Number of episodes in which an agent was at fault, by the fault."""
        return {fault: count for (who, fault), count in self._faults.items() if who == agent}

    def opponents_faults(self, agent: int) -> dict[Fault, int]:
        """Number of episodes in which its opponents were at fault, which may explain its success."""
        return {fault: count for (who, fault), count in self._opponents_faults.items() if who == agent}

    def to_json(self) -> dict[str, Any]:
        """All rates as plain values."""
        agents = [
            {
                "agent": entrant.name,
                "spec": entrant.spec,
                **_plain(self.total(number)),
                "mean_wall": self.pace(number),
                "faults": self.faults(number),
                "opponents_faults": self.opponents_faults(number),
            }
            for number, entrant in enumerate(self.agents)
        ]
        scenarios = [
            {"scenario": scenario.name, "agent": entrant.name, **_plain(self.rate(number, agent))}
            for number, scenario in enumerate(self.suite.scenarios)
            for agent, entrant in enumerate(self.agents)
        ]
        return {"suite": self.suite.name, "agents": agents, "scenarios": scenarios}


def _faults(record: Record) -> set[tuple[int, Fault]]:
    """The seats at fault in an episode, with their faults."""
    made = {(move.seat, move.fault) for step in record.steps for move in step if move.fault is not None}
    preparations = {(number, seat.preparation.fault) for number, seat in enumerate(record.seats) if seat.preparation}
    return made | {(number, fault) for number, fault in preparations if fault is not None}


def _plain(rate: Rate) -> dict[str, Any]:
    low, high = rate.interval()
    return {"successes": rate.successes, "episodes": rate.episodes, "rate": rate.share, "low": low, "high": high}
