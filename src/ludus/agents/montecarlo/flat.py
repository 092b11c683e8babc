"""Flat Monte Carlo: random games after each move; the best average wins."""

import time
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.agents.agent import Choice, Clock, Evaluator, View, deadline
from ludus.agents.montecarlo.rollout import depth_of, rollout
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import MOST_PLAYERS, Array, State, copy, duplicate, kernel_for, legal, movers, play, sample

# Options of one sampling, in int64.
ME, ROUNDS, DEPTH, PLAYERS = range(4)


class Workspace(NamedTuple):
    """Working memory of a sampling."""

    moves: Array  # int64[move]
    totals: Array  # float64[move]
    visits: Array  # int64[move]
    scores: Array  # float64[player]
    who: Array  # int64[player]
    chosen: Array  # int64[player]
    watch: Array


@compiled
def sample_moves(root: State, work: State, space: Workspace, options: Array, rng: Rng) -> int:
    """Run roll-outs after every legal move in turn, ROUNDS times or until time is up; return the number of moves."""
    me, depth, players = options[ME], options[DEPTH], options[PLAYERS]
    n = legal(root, me, space.moves)
    for i in range(n):
        space.totals[i] = 0.0
        space.visits[i] = 0
    seats = movers(root, space.who)
    for _ in range(options[ROUNDS]):
        for i in range(n):
            if expired(space.watch):
                return n
            copy(root, work)
            for seat in range(seats):
                mine = space.who[seat] == me
                space.chosen[seat] = space.moves[i] if mine else sample(root, space.who[seat], rng)
            play(work, space.chosen)
            if not rollout(work, rng, space.watch, depth, players, space.scores):
                return n
            space.totals[i] += space.scores[me]
            space.visits[i] += 1
    return n


class MonteCarlo(Evaluator):
    """Plays random games after each legal move and takes the move with the best average."""

    name: ClassVar[str] = "mc"

    iterations: int = param(1000, "roll-outs for each legal move", low=1, high=MOST_COUNT)
    rollout_depth: int | None = param(None, "moves in a roll-out; by default to the end", low=0, high=MOST_COUNT)
    agents: int = param(1, "independent samplings, each with one vote", low=1, high=1000)
    time: Duration | None = param(None, "time for a move", low=0)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._players = game.seats
        self._rng: Rng = new_rng(seed)
        most_moves = game.facts().most_moves
        self._space = Workspace(
            moves=np.zeros(most_moves, np.int64),
            totals=np.zeros(most_moves),
            visits=np.zeros(most_moves, np.int64),
            scores=np.zeros(MOST_PLAYERS),
            who=np.zeros(MOST_PLAYERS, np.int64),
            chosen=np.zeros(MOST_PLAYERS, np.int64),
            watch=new_watch(FOREVER),
        )

    def choose(self, view: View, clock: Clock) -> Choice:
        space = self._space
        start, until = time.monotonic_ns(), deadline(self.time, clock, limited=True)
        root = self.own(self._game, view.state)
        work = duplicate(root)
        kernel = kernel_for(view.state, sample_moves)
        options = np.array([view.seat, self.iterations, depth_of(self.rollout_depth, root), self._players])
        votes = np.zeros(len(space.moves), np.int64)
        averages = np.zeros(len(space.moves))
        simulations = 0
        for agent in range(1, self.agents + 1):
            share = until if until >= FOREVER else start + (until - start) * agent // self.agents
            space.watch[:] = new_watch(share)
            n = kernel(root, work, space, options, self._rng)
            sampled = int(space.visits[:n].sum())
            average = space.totals[:n] / np.maximum(1, space.visits[:n])
            average[space.visits[:n] == 0] = -np.inf
            best = np.flatnonzero(average == average.max())
            votes[best[below(self._rng, len(best))]] += 1
            averages[:n] += np.where(np.isfinite(average), average, 0.0)
            simulations += sampled
            if time.monotonic_ns() >= until:
                break
        chosen = int(np.argmax(votes))
        cast = int(votes.sum())
        return Choice(
            int(space.moves[chosen]),
            {"simulations": simulations, "value": float(averages[chosen] / cast), "votes": int(votes[chosen])},
        )
