"""Games of spe_ed from the states that one player received: the moves of all."""

from collections.abc import Sequence

import numpy as np

from ludus.contests.speed.game import (
    ANSWERED_TWICE,
    CHANGE_NOTHING,
    DIRECTION,
    FELL,
    JUMP_EVERY,
    NO_ANSWER,
    SLOW_DOWN,
    SPEED,
    SPEED_UP,
    TOP_SPEED,
    TURN_LEFT,
    TURN_RIGHT,
    Speed,
    SpeedState,
    X,
    Y,
)
from ludus.core.errors import InvalidError
from ludus.episode.record import Fault, Move
from ludus.kernel.rules import duplicate, over, play
from ludus.net.sighting import Message, Sighting

_ACTIONS = {
    (3, 0): TURN_LEFT,
    (1, 0): TURN_RIGHT,
    (0, -1): SLOW_DOWN,
    (0, 1): SPEED_UP,
    (0, 0): CHANGE_NOTHING,
}
"""Actions by the number of right turns and the change of speed."""
_FAULTS = {
    True: (Fault.ILLEGAL, "its answer is visible, but did not count"),
    False: (Fault.LATE, "gave no answer that counted"),
}


class SpeedSighting(Sighting):
    """A game of spe_ed reconstructed from its states.

    If no moves lead from one state to the next, the record starts again from the later one.
    """

    def __init__(self, first: Message, now: int = 1) -> None:
        """`first` is the state before round `now`."""
        super().__init__(Speed(players=len(first.state.players)), first._replace(state=dated(first.state, now)))

    def take(self, message: Message, own: Move | None = None, coming: Sequence[Message] = ()) -> list[int]:
        """Add the state after another round, in which the player itself sent `own`; return the moves of all, if known.

        If states are missing, later ones in `coming`, if known, show how many.
        """
        before, after = self.state, message.state
        if not are_of_one_game(before, after):
            raise InvalidError(f"The state after round {before.clock[0]} belongs to another game.")
        self.names = message.names
        if over(before):
            return []  # only names are new
        moves = moves_between(before, after)
        played = after_moves(before, moves)
        if not look_alike(played, after):
            now = before.clock.item() + 1
            ways = [dated(after, now + missing, before) for missing in range(JUMP_EVERY if coming else 1)]
            self._break(before, max(ways, key=lambda way: explained(way, coming)))
            return []
        movers = self.game.movers(before)
        self.steps.append([self._move(player, move, own) for player, move in zip(movers, moves, strict=True)])
        self.state = played
        return moves

    def _move(self, player: int, move: int, own: Move | None) -> Move:
        text = self.game.format(self.state, player, move)
        made = own if own is not None and player == self.you else Move(player, text)
        if made.move != text:
            made.move, sent = text, made.move
            made.fault, made.evidence = Fault.LATE, f"sent {sent}, which did not count"
        elif move >= NO_ANSWER:
            made.fault, made.evidence = _FAULTS[move >= ANSWERED_TWICE]
        return made

    def _break(self, before: SpeedState, state: SpeedState) -> None:
        """Continue from a state that no moves explain, unless it is the end."""
        now = state.clock.item()
        missing = f"no moves lead from the state before round {before.clock[0]} to the next one"
        if over(state):
            self.cut_off = True
            self.remarks.append(f"the record ends before the game: {missing}")
        else:
            self.remarks.append(f"the record begins in round {now}: {missing}")
            self.begin(state)


def moves_between(before: SpeedState, after: SpeedState) -> list[int]:
    """The moves of the living players that explain the next state, if there are any."""
    moves = []
    for old, new in zip(before.players.tolist(), after.players.tolist(), strict=True):
        if old[FELL]:
            continue
        action = _ACTIONS.get(((new[DIRECTION] - old[DIRECTION]) % 4, new[SPEED] - old[SPEED]), NO_ANSWER)
        has_moved = (new[X], new[Y]) != (old[X], old[Y])
        if has_moved or not 1 <= new[SPEED] <= TOP_SPEED:
            moves.append(action)
        else:
            moves.append(NO_ANSWER if action in (CHANGE_NOTHING, NO_ANSWER) else ANSWERED_TWICE + action)
    return moves


def after_moves(before: SpeedState, moves: Sequence[int]) -> SpeedState:
    """The state after these moves."""
    state: SpeedState = duplicate(before)
    play(state, np.array(moves, np.int64))
    return state


def are_of_one_game(one: SpeedState, other: SpeedState) -> bool:
    return one.cells.shape == other.cells.shape and one.players.shape == other.players.shape


def look_alike(played: SpeedState, shown: SpeedState) -> bool:
    """True if two states agree in everything that a server shows."""
    return bool(
        np.array_equal(played.cells, shown.cells)
        and np.array_equal(played.players[:, :FELL], shown.players[:, :FELL])
        and np.array_equal(played.players[:, FELL] > 0, shown.players[:, FELL] > 0)
    )


def explained(state: SpeedState, coming: Sequence[Message]) -> int:
    """Number of following states that moves can explain."""
    for number, message in enumerate(coming):
        if over(state) or not are_of_one_game(state, message.state):
            return number
        played = after_moves(state, moves_between(state, message.state))
        if not look_alike(played, message.state):
            return number
        state = played
    return len(coming)


def dated(shown: SpeedState, now: int, before: SpeedState | None = None) -> SpeedState:
    """The state that a server shows, with the number of the round and, as far as known, the rounds of deaths."""
    state: SpeedState = duplicate(shown)
    state.clock[0] = now
    if before is not None:
        fell = np.where(before.players[:, FELL] > 0, before.players[:, FELL], now - 1)
        state.players[:, FELL] = np.where(state.players[:, FELL] > 0, fell, 0)
    return state
