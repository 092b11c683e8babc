"""The referee of one episode, a state machine without input or output: turn order, legality, clocks, the end.

A driver reads `requests`, lets those players think, and hands each one's move to `answer`, until `requests` is empty;
then `record` holds everything. Players with simultaneous moves are asked together, and the turn is played when all have
answered.
"""

import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np

from ludus.agents.agent import Clock, View
from ludus.core.errors import InvalidError
from ludus.core.version import __version__
from ludus.episode import verdict
from ludus.episode.adjudication import adjudicator
from ludus.episode.cost import Cost
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.opening import setting, start_state
from ludus.episode.record import (
    FORMAT,
    FROM_THE_START,
    PREPARING,
    Ending,
    Fault,
    Move,
    Opening,
    Out,
    Preparation,
    Record,
    Seat,
)
from ludus.episode.request import Answer, Request
from ludus.games.game import Game
from ludus.kernel.jit import compiled, entry
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    MOVE_LIMIT,
    Array,
    State,
    allows,
    copy,
    duplicate,
    forfeit,
    kernel_for,
    movers,
    over,
    play,
    provides,
    sample,
    scores,
)

Watcher = Callable[[State, list[Move]], None]
"""A function called with each played step, also of the opening, and the state after it (not to be changed)."""


class Referee:
    """One episode of a game: `begin` once the players are ready, then `answer` the `requests`."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        *,
        limits: Limits = UNLIMITED,
        seed: int = 0,
        opening: Opening = FROM_THE_START,
        watch: Watcher | None = None,
    ) -> None:
        if len(seats) != game.seats:
            raise InvalidError(f"{game.spec()} has {game.seats} seats, but {len(seats)} are taken.")
        self._played, self._game = datetime.now(UTC), game
        self._seats = list(seats)
        self._limits = limits
        self._seed = seed
        self._opening = opening
        self._watch = watch

        self._state = start_state(game, opening)  # the truth
        self._shown = duplicate(self._state)  # shown to players: changes to it have no effect
        self._who = np.zeros(MOST_PLAYERS, np.int64)
        self._chosen = np.zeros(MOST_PLAYERS, np.int64)
        self._points = np.zeros(MOST_PLAYERS)
        self._movers, self._numbers = memoryview(self._who.data), memoryview(self._chosen.data)  # fast to read
        arrays = self._state, self._shown, self._who, self._chosen, self._points
        self._carry_out = partial(entry(kernel_for(self._state, carry_out), *arrays, 0), *arrays)
        self._forfeits = provides(type(self._state), "forfeit")
        self._generators: dict[str, Rng] = {}

        self._own = own = [seat.limits or limits for seat in seats]
        self._timed = any(each.move is not None or each.total is not None for each in own)
        self._same_clock = [Clock(each.move) for each in own]
        self._left = [each.total or 0 for each in own]
        self._adjudicator = adjudicator(limits, len(seats))

        self._history: list[list[int]] = []
        self._seen = [0] * len(seats)
        self._steps: list[list[Move]] = []
        self._plies = 0
        self._turn: list[int] = []  # present movers
        self._made: list[Move] = []  # their moves, in the same order; empty while a single mover thinks
        self._asked: list[int] = []  # the movers that have not answered
        self._clean = True  # all movers so far have a move of their own
        self._out: dict[int, Out] = {}
        self._everybody = frozenset(range(len(seats)))
        self._record: Record | None = None
        self._open()

    @property
    def state(self) -> State:
        """The present state, as players see it (not to be changed)."""
        return self._shown

    @property
    def over(self) -> bool:
        """True once the end has come."""
        return self._record is not None

    @property
    def record(self) -> Record:
        """Everything about the episode, once the end has come."""
        if self._record is None:
            raise RuntimeError("the episode is not over")
        return self._record

    def begin(self, preparations: Iterable[Preparation] = ()) -> None:
        """Start, with the preparation of each seat; without any, nobody needed time."""
        faults: dict[int, Fault] = {}
        for seat, preparation in enumerate(preparations):
            self._seats[seat].preparation = preparation
            verdict.judge_start(self._own[seat], preparation)
            if preparation.fault and verdict.puts_out(self._own[seat], preparation.fault, Cost()):
                faults[seat] = preparation.fault
        if not self._ends_by(faults, PREPARING):
            self._proceed(int(movers(self._state, self._who)))

    def requests(self) -> list[Request]:
        """The requests of this turn; none when the episode is over."""
        return list(map(self._request, self._asked))

    def _request(self, seat: int) -> Request:
        seen = self._seen[seat]
        view = View(self._shown, seat, self._history[seen:])
        known = seen - len(self._opening.moves)
        steps = self._steps[known if known > 0 else 0 :]
        return Request(seat, view, self._clock(seat), steps, self._left if self._own[seat].total is not None else [])

    def answer(self, seat: int, answer: Answer) -> None:
        """Accept a player's move or fault, with its measured cost."""
        self._asked.remove(seat)
        place = self._turn.index(seat)
        cost = answer.cost
        made = Move(
            seat,
            "",
            answer.metrics or {},
            answer.fault,
            answer.evidence,
            wall=cost.wall,  # one by one, because this runs for every move, and ** takes three times as long
            cpu=cost.cpu,
            waited=cost.waited,
            memory=cost.memory,
        )
        if self._made:
            self._made[place] = made
        else:
            self._made.append(made)
        move = answer.move
        if made.fault is None:
            number = move if type(move) is int else self._number(move)
            try:
                if number is None:
                    raise ValueError
                self._numbers[place] = number
                made.move = self._game.format(self._state, seat, number)
            except Exception:  # a move so wrong that it is not a number, or that the game cannot write it
                if number in self._game.moves(self._state, seat):
                    raise
                made.fault, made.evidence = verdict.no_move(move)
        elif self._forfeits:
            number = self._number(move)
            self._chosen[place] = -1 if number is None or not 0 <= number < MOVE_LIMIT else number
        if self._timed:
            self._charge(made)
        if made.fault is not None:
            self._clean = False
        if not self._asked:
            self._take_turn()

    @staticmethod
    def _number(move: Any) -> int | None:
        try:
            return operator.index(move)
        except Exception:  # an answer may be any object, with code of its own
            return None

    def abandon(self, seat: int, fault: Fault, evidence: str, wall: int = 0) -> None:
        """End the episode whatever the policy, because the process of the thinking player is gone."""
        step = PREPARING
        if seat in self._asked:
            step = len(self._steps)
            self._made = self._made or [Move(seat)]
            self._made[self._turn.index(seat)] = Move(seat, wall=wall, fault=fault, evidence=evidence)
            self._steps.append(self._made)
        elif not self._turn:
            self._seats[seat].preparation = Preparation(fault, evidence, wall=wall)
        self._out[seat] = Out(seat, step, fault)
        self._end(Ending(fault), [seat])

    def give_up(self) -> None:
        """End the episode without a result: the machine failed, and no player is to blame."""
        self._end(Ending.MACHINE)

    # --- Clocks ---------------------------------------------------------------------------------------------------

    def _clock(self, seat: int) -> Clock:
        own, left = self._own[seat], self._left[seat]
        return self._same_clock[seat] if own.total is None else Clock(own.move, left, own.increment)

    def _charge(self, made: Move) -> None:
        own = self._own[made.seat]
        verdict.judge_time(own, self._clock(made.seat).limit(), made)
        if own.total is not None:
            self._left[made.seat] = max(0, self._left[made.seat] - made.on_the_clock) + own.increment

    # --- Turns ----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Make the moves of the opening."""
        n = int(movers(self._state, self._who))
        for texts in self._opening.moves:
            players = self._who[:n].tolist()
            if len(texts) != n:
                raise InvalidError(f"The opening has {len(texts)} moves instead of {n}: {' '.join(texts)}.")
            for place, (player, text) in enumerate(zip(players, texts, strict=True)):
                self._chosen[place] = self._game.parse(self._state, player, text)
            self._history.append(self._chosen[:n].tolist())
            n = self._carry_out(n)
            if n == 0:
                raise InvalidError(f"The opening of {len(self._opening.moves)} steps ends the game: use a shorter one.")
            if self._watch is not None:
                self._watch(self._shown, list(map(Move, players, texts)))

    def _proceed(self, n: int) -> None:
        """Continue until a player must be asked or the episode is over; n players are to move."""
        while n:
            self._turn = self._movers[:n].tolist()
            if self._turn[0] == CHANCE:
                n = self._roll()
                continue
            if self._plies == self._limits.plies:
                self._end(Ending.PLIES)
                return
            if not self._everybody.issuperset(self._turn):
                raise verdict.wrong_movers(self._game, self._turn, self._plies)
            out = self._out
            self._asked = [seat for seat in self._turn if seat not in out] if out else self._turn.copy()
            self._clean = len(self._asked) == n
            self._made = [] if self._clean and n == 1 else list(map(Move, self._turn))
            if self._asked:
                return
            n = self._move_for_the_missing()
        self._end(Ending.RULES)

    def _roll(self) -> int:
        outcome = self._chosen[0] = int(sample(self._state, CHANCE, self._generator("dice")))
        step = [Move(CHANCE, self._game.format(self._state, CHANCE, outcome))]
        n = self._carry_out(1)
        self._note(step)
        return n

    def _take_turn(self) -> None:
        n = self._carry_out(len(self._turn)) if self._clean else -1
        if n >= 0:
            self._note(self._made)
        else:
            faults = self._judge()
            is_settled = self._forfeits and Fault.QUIT not in faults.values()
            if not is_settled and self._ends_by(faults, len(self._steps)):
                return
            n = self._move_for_the_missing(faults)
        if n and self._adjudicator is not None and self._adjudicator.ends_with(self._made):
            self._end(Ending.ADJUDICATED)
        else:
            self._proceed(n)

    def _judge(self) -> dict[int, Fault]:
        """Find illegal moves; return the faults that disqualify a player."""
        faults = {}
        for place, made in enumerate(self._made):
            if made.seat in self._out:
                continue
            verdict.judge_move(self._game, self._state, made, self._chosen[place])
            if made.fault:
                if verdict.puts_out(self._own[made.seat], made.fault, made):
                    faults[made.seat] = made.fault
                made.move = ""
        return faults

    def _generator(self, purpose: str) -> Rng:
        if purpose not in self._generators:
            self._generators[purpose] = new_rng(self._seed, purpose)
        return self._generators[purpose]

    def _move_for_the_missing(self, faults: Collection[int] = ()) -> int:
        """Play a turn in which some players have no move: theirs are forfeits or else random."""
        for place, made in enumerate(self._made):
            if made.move:
                continue
            move = -1
            if made.seat in self._out:
                move = int(forfeit(self._state, made.seat, -1))
            elif made.seat in faults:
                move = int(forfeit(self._state, made.seat, self._chosen.item(place)))
            if move < 0:
                move = int(sample(self._state, made.seat, self._generator("substitutes")))
            self._chosen[place] = move
            made.move = self._game.format(self._state, made.seat, move)
        play(self._state, self._chosen)
        copy(self._state, self._shown)
        self._note(self._made)
        if over(self._state):
            scores(self._state, self._points)
            return 0
        return int(movers(self._state, self._who))

    def _note(self, step: list[Move]) -> None:
        if self._turn[0] != CHANCE:
            self._plies += 1
            for seat in self._turn:
                self._seen[seat] = len(self._history)
        self._history.append(self._numbers[: len(step)].tolist())
        self._steps.append(step)
        if self._watch is not None:
            self._watch(self._shown, step)

    # --- The end --------------------------------------------------------------------------------------------------

    def _ends_by(self, faults: dict[int, Fault], step: int) -> bool:
        """Disqualify these players; True if that ends the episode."""
        self._out.update((seat, Out(seat, step, fault)) for seat, fault in faults.items())
        if not faults or (len(self._seats) - len(self._out) > 1 and Fault.QUIT not in faults.values()):
            return False
        if step != PREPARING:
            self._steps.append(self._made)
        self._end(Ending(next(iter(faults.values()))), list(faults))
        return True

    def _end(self, ending: Ending, by: Sequence[int] = ()) -> None:
        self._record = Record(
            format=FORMAT,
            ludus=__version__,
            played=self._played,
            game=setting(self._game).spec,
            seats=self._seats,
            seed=self._seed,
            limits=self._limits,
            opening=self._opening,
            scores=self._scores(ending),
            ending=ending,
            by=list(by),
            out=list(self._out.values()),
            steps=self._steps,
        )

    def _scores(self, ending: Ending) -> list[float]:
        if ending is Ending.MACHINE:
            return [0.0] * len(self._seats)
        if self._adjudicator and ending is Ending.ADJUDICATED:
            return self._adjudicator.scores
        if len(self._seats) == 1 and ending is Ending.PLIES:
            return self._game.scores(self._state)
        points = [0.0] * len(self._seats)
        if ending is Ending.RULES:
            points = [score + 0.0 for score in self._points[: len(points)].tolist()]  # no −0.0
        return verdict.final_scores(points, self._out.values(), self._game)


@compiled
def carry_out(state: State, shown: State, who: Array, chosen: Array, points: Array, n: int) -> int:
    """Play chosen[:n] for who[:n] and write the next movers; return their number, 0 at the end, −1 for an illegal move.

    At the end the scores are written; `shown` becomes equal to the state.
    """
    for i in range(n):
        if who[i] != CHANCE and not allows(state, who[i], chosen[i]):
            return -1
    play(state, chosen)
    copy(state, shown)
    if over(state):
        scores(state, points)
        return 0
    return movers(state, who)
