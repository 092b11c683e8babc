"""The run of a suite: every scenario with every agent, with the same random numbers for all."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from ludus.agents.agent import agent_from
from ludus.core.errors import InvalidError, LudusError
from ludus.core.seeds import seed_from
from ludus.episode.driver import play_episode
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Opening, Record
from ludus.episode.seating import check_seats, prepare, seated
from ludus.games.game import Game, game_from
from ludus.run.scenarios.scenario import Scenario, Suite
from ludus.tournaments.tournament import Entrant


class Trial(NamedTuple):
    """One episode: the numbers of the scenario and the agent, its record, and True if the agent succeeded."""

    scenario: int
    agent: int
    record: Record
    success: bool


class Bench:
    """Agents on the scenarios of a suite; an agent that does not suit a scenario is refused."""

    def __init__(self, suite: Suite, agents: Sequence[Entrant], limits: Limits = UNLIMITED, seed: int = 0) -> None:
        self.suite = suite
        self.agents = agents
        self._limits = limits
        self._seed = seed
        self._games = [game_from(scenario.game) for scenario in suite.scenarios]
        for game, scenario in zip(self._games, suite.scenarios, strict=True):
            for agent in agents:
                self._check(game, scenario, agent)

    def _check(self, game: Game, scenario: Scenario, agent: Entrant) -> None:
        players = [agent_from(entrant.spec) for entrant in seating(scenario, agent)]
        try:
            check_seats(game, players)
            if any(player.awaited for player in players):
                raise InvalidError("only 'ludus play' and 'ludus run' wait for clients.")
        except LudusError as error:
            raise InvalidError(f"The scenario '{scenario.name}' cannot be run with {agent.name}: {error}") from None

    def prepare(self) -> None:
        """Compile everything that will be called, before any clock runs."""
        done = set()
        for game, scenario in zip(self._games, self.suite.scenarios, strict=True):
            field = sorted({entrant.spec for agent in self.agents for entrant in seating(scenario, agent)})
            if (game.spec(), *field) not in done:
                done.add((game.spec(), *field))
                prepare(game, [agent_from(spec) for spec in field])

    def total(self, episodes: int) -> int:
        """Number of episodes if each agent plays this many of each scenario."""
        return episodes * len(self.agents) * len(self.suite.scenarios)

    def has_humans(self) -> bool:
        """True if a person takes part, tested or not."""
        entrants = (entrant for one in self.suite.scenarios for agent in self.agents for entrant in seating(one, agent))
        return any(agent_from(entrant.spec).person for entrant in entrants)

    def run(self, episodes: int) -> Iterator[Trial]:
        """Play this many episodes of each scenario with each agent; those with the same number have the same seeds."""
        for number, (game, scenario) in enumerate(zip(self._games, self.suite.scenarios, strict=True)):
            for agent, entrant in enumerate(self.agents):
                players = [player_for(agent_from(seat.spec), seat.name) for seat in seating(scenario, entrant)]
                with seated(players, game):
                    for episode in range(episodes):
                        record = self._play(game, scenario, players, episode)
                        yield Trial(number, agent, record, scenario.success.is_met(record, scenario.seat))

    def _play(self, game: Game, scenario: Scenario, players: Sequence[Player], episode: int) -> Record:
        rounds = scenario.success.rounds(game)
        limits = self._limits if rounds is None else _stopping_after(rounds, self._limits)
        return play_episode(
            game,
            players,
            limits=limits,
            seed=seed_from(self._seed, scenario.name, scenario.position, episode),
            opening=Opening(scenario.position),
            name=f"scenario-{self._seed}-{episode}",
        )


def _stopping_after(rounds: int, limits: Limits) -> Limits:
    return msgspec.structs.replace(limits, plies=rounds)


def seating(scenario: Scenario, agent: Entrant) -> list[Entrant]:
    """The players of all seats when this agent is tested."""
    seats = list(scenario.opponents)
    seats.insert(scenario.seat, agent)
    return seats
