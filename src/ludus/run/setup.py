"""The setting of an episode, fixed by its key: seed, opening and players."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from time import perf_counter_ns

from ludus.agents.agent import Agent, agent_from
from ludus.core.errors import LudusError
from ludus.core.failures import gist, show_traceback
from ludus.core.seeds import seed_from
from ludus.episode.driver import Monitor, play_episode
from ludus.episode.exclusive import claim
from ludus.episode.finished import Episode, episode
from ludus.episode.journal import Noted, preparations
from ludus.episode.limits import Limits, own_limits
from ludus.episode.local_player import player_for
from ludus.episode.opening import Openings
from ludus.episode.player import Player
from ludus.episode.rebuilt import GameCard
from ludus.episode.record import Fault, Key, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.games.game import game_from
from ludus.tournaments.game_names import file_name
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
        self._name = file_name(tournament.name)
        self._openings = lru_cache(maxsize=2)(self._openings_of)

    def player(self, agent: int) -> Player:
        """The player of an agent, created at first use."""
        if agent not in self._players:
            entrant = self.tournament.agents[agent]
            chosen = agent_from(entrant.spec) if self._agents is None else self._agents[agent]
            self._players[agent] = player_for(chosen, entrant.name)
        return self._players[agent]

    def limits(self, agent: int) -> Limits:
        """The limits of an agent, with its own."""
        shared = self.tournament.limits
        return own_limits(shared, self.player(agent).agent.limits) or shared

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

    def claim(self, seats: Iterable[int]) -> None:
        """Wait until no other program uses a bot of these agents that must not run twice."""
        claim([self.player(agent) for agent in seats])

    def play(self, key: Key, seats: Sequence[int], name: str, monitor: Monitor | None = None) -> Episode:
        """Play one episode; seats[i] is the number of the agent at seat i. Bots hear the name of the game."""
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
            name=f"{self._name}_{name}",
        )
        return episode(record, key, perf_counter_ns() - began, game=self.game)

    def cut_off(
        self, key: Key, seats: Sequence[int], journal: Sequence[Noted], blame: tuple[int, Fault, str, int] | None
    ) -> Episode:
        """The episode whose worker died after these answers; `blame` is a seat, its fault, the evidence and its
        thinking time, or None for a fault of the machine.
        """
        record = self._cut_off(key, seats, journal, blame)
        wall = sum(noted.answer.cost.wall for noted in journal) + (blame[3] if blame else 0)
        return episode(record, key, wall, game=self.game)

    def card(self, key: Key, seats: Sequence[int]) -> GameCard:
        """The card of an episode."""
        entrants, limits = [self.tournament.agents[agent] for agent in seats], self.tournament.limits
        return GameCard(
            game=self.game.spec(),
            seats=[
                Seat(entrant.spec, entrant.name, limits=own_limits(limits, self.player(agent).agent.limits))
                for entrant, agent in zip(entrants, seats, strict=True)
            ],
            opening=self.opening(key),
            seed=self.seed(key),
            limits=limits,
        )

    def _cut_off(
        self, key: Key, seats: Sequence[int], journal: Sequence[Noted], blame: tuple[int, Fault, str, int] | None
    ) -> Record:
        card = self.card(key, seats)
        referee = Referee(self.game, card.seats, limits=card.limits, seed=card.seed, opening=card.opening)
        if len(journal) >= len(seats):
            referee.begin(preparations(journal, len(seats)))
            for seat, answer in journal[len(seats) :]:
                referee.answer(seat, answer)
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
