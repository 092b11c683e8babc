"""The setting of an episode, fixed by its key: seed, opening and players."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from time import perf_counter_ns

from msgspec.structs import asdict

from ludus.agents.agent import Agent, agent_from
from ludus.core.errors import LudusError
from ludus.core.failures import gist, show_traceback
from ludus.core.seeds import seed_from
from ludus.episode.driver import Monitor, play_episode
from ludus.episode.finished import Episode, episode
from ludus.episode.local_player import player_for
from ludus.episode.opening import Openings
from ludus.episode.player import Player
from ludus.episode.record import Fault, Key, Opening, Preparation, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer
from ludus.games.game import game_from
from ludus.tournaments.plan import Parts
from ludus.tournaments.tournament import Tournament


def failure(error: Exception, game: str, where: str) -> LudusError:
    """The error that ends the run; `where` names the place of a failure."""
    if isinstance(error, LudusError):
        return error
    if isinstance(error, OSError):
        return LudusError(f"This machine failed {where}: {error.strerror or error}.")
    show_traceback(error)
    return LudusError(f"The rules of {game} failed {where}: {gist(error)}; 'ludus check game {game}' says more.")


class Stage:
    """The game and the players of a tournament, ready for any of its episodes."""

    def __init__(self, tournament: Tournament, parts: Parts | None = None) -> None:
        self.tournament = tournament
        self.game = game_from(tournament.game) if parts is None else parts.game
        self._agents = None if parts is None else parts.agents
        self._players: dict[int, Player] = {}
        self._name = tournament.identity[:6]  # not its name, which may be invalid as a file name
        self._openings = lru_cache(maxsize=2)(self._openings_of)

    def player(self, agent: int) -> Player:
        """The player of an agent, created at first use."""
        if agent not in self._players:
            entrant = self.tournament.agents[agent]
            chosen = agent_from(entrant.spec) if self._agents is None else self._agents[agent]
            self._players[agent] = player_for(chosen, entrant.name)
        return self._players[agent]

    @property
    def agents(self) -> list[Agent]:
        """All agents, in the order of the field."""
        return [self.player(number).agent for number in range(len(self.tournament.agents))]

    def close(self) -> None:
        """Release all remaining bots."""
        for player in self._players.values():
            player.close()

    def release(self, agents: Iterable[int]) -> None:
        """Release those of these agents that must not run twice, so that they can play elsewhere."""
        for agent in agents:
            if self.player(agent).agent.exclusive:
                self.player(agent).close()

    def seed(self, key: Key) -> int:
        """The seed of an episode, for chance: the same in every match."""
        return seed_from(self._run_seed(key.repetition), "episode", key.number)

    def _agents_seed(self, key: Key) -> int:
        """The seed of the agents' own randomness in an episode, different in every match: otherwise an agent would have
        the same luck against every opponent, and its results would look too certain. Agents that play alone share it.
        """
        match = 0 if self.game.seats == 1 else key.match
        return seed_from(self._run_seed(key.repetition), "agents", match, key.number)

    def opening(self, key: Key) -> Opening:
        """The opening of an episode: the same in every match."""
        return self._openings(key.repetition).opening(key.number)

    def different_openings(self) -> int:
        """Number of different openings among the episodes of a match."""
        return self._openings(0).different(self.tournament.episodes)

    def play(self, key: Key, seats: Sequence[int], monitor: Monitor | None = None) -> Episode:
        """Play one episode; seats[i] is the number of the agent at seat i."""
        players, opening = [self.player(agent) for agent in seats], self.opening(key)
        began = perf_counter_ns()
        record = play_episode(
            self.game,
            players,
            limits=self.tournament.limits,
            seed=self.seed(key),
            opening=opening,
            monitor=monitor,
            agents_seed=self._agents_seed(key),
            name="-".join([self._name, *(str(number + 1) for number in key)]),
        )
        return episode(record, key, perf_counter_ns() - began, game=self.game)

    def cut_off(
        self, key: Key, seats: Sequence[int], journal: Sequence[Answer], blame: tuple[int, Fault, str, int] | None
    ) -> Episode:
        """The episode whose worker died after these answers; `blame` is a seat, its fault, the evidence and its
        thinking time, or None for a fault of the machine.
        """
        record = self._cut_off(key, seats, journal, blame)
        wall = sum(answer.cost.wall for answer in journal) + (blame[3] if blame else 0)
        return episode(record, key, wall, game=self.game)

    def _cut_off(
        self, key: Key, seats: Sequence[int], journal: Sequence[Answer], blame: tuple[int, Fault, str, int] | None
    ) -> Record:
        entrants = [self.tournament.agents[agent] for agent in seats]
        referee = Referee(
            self.game,
            [Seat(entrant.spec, entrant.name) for entrant in entrants],
            limits=self.tournament.limits,
            seed=self.seed(key),
            opening=self.opening(key),
        )
        if len(journal) >= len(seats):
            referee.begin(Preparation(a.fault, **asdict(a.cost)) for a in journal[: len(seats)])
            for answer in journal[len(seats) :]:
                request = referee.requests()[0]
                referee.answer(request.seat, answer)
        if blame is None:
            referee.give_up()
        else:
            seat, fault, evidence, wall = blame
            referee.abandon(seat, fault, evidence, wall)
        return referee.record

    def _run_seed(self, repetition: int) -> int:
        return seed_from(self.tournament.seed, "repetition", repetition)

    def _openings_of(self, repetition: int) -> Openings:
        plan = self.tournament.openings
        return Openings(self.game, plan.plies, self._run_seed(repetition), plan.listed)
