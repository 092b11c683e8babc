"""Verdicts: when an answer is late, illegal or failed, with which evidence, and at what cost to the player.

Players and drivers hand in what they measured; what follows from it is decided here and nowhere else.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from ludus.core.text import format_duration, spoken_time
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Fault, Move, Out, Preparation
from ludus.games.game import Game
from ludus.kernel.rules import State

_MORE = 500_000_000  # nanoseconds that a late answer is waited for: it is better evidence than none
_SECOND_CHANCE = 10  # times the limit that a player has where a late move does not put it out
_LONGEST_EVIDENCE = 100


class Verdict(NamedTuple):
    """A fault and its evidence, whose first line says it in short."""

    fault: Fault
    evidence: str


SILENT = Verdict(Fault.LATE, "gave no answer in time")

# --- Late -----------------------------------------------------------------------------------------------------------


def latest(limits: Limits, granted: int) -> int:
    """The last moment at which an answer is in time, in nanoseconds on the referee's clock."""
    return granted + limits.grace


def patience(limits: Limits, granted: int, *, starting: bool = False) -> int:
    """Nanoseconds on the clock for which an answer is waited for, which may be late and yet of use."""
    if limits.policy is Policy.SOFT and limits.hard is not None and not starting:
        granted = max(granted, limits.hard)
    elif limits.policy is not Policy.LOSE:
        return latest(limits, _SECOND_CHANCE * granted)
    return latest(limits, granted) + _MORE


def late(limits: Limits, granted: int | None, cost: Cost, did: str = "") -> Verdict | None:
    """The verdict on something that a player did too late, with what it cost; None if that was in time.

    The evidence tells thinking from waiting for a core.
    """
    if granted is None or cost.on_the_clock <= latest(limits, granted):
        return None
    given = f"{format_duration(granted)} and {format_duration(limits.grace)} of grace are granted"
    spent = f"{spoken_time(cost.cpu)} of CPU, {spoken_time(cost.waited)} of waiting for a core"
    return Verdict(Fault.LATE, f"{did} after {spoken_time(cost.wall)} where {given}: {spent}")


def not_within(granted: int, deed: str) -> Verdict:
    """The verdict on a player that did not do something before its time was up."""
    return Verdict(Fault.LATE, f"did not {deed} within {format_duration(granted)}")


def overrun(doing: str, took: int, waited: int) -> Verdict:
    """The verdict on an agent whose process was ended, since it did something for too long."""
    spared = f", {spoken_time(waited)} of it waiting for a core" if waited else ""
    return Verdict(Fault.LATE, f"still {doing} after {spoken_time(took)}{spared}, and was ended")


def judge_start(limits: Limits, made: Preparation) -> None:
    """Find a player at fault that was ready too late."""
    if made.fault is None and (found := late(limits, limits.preparation, made)):
        made.fault = found.fault


def judge_time(limits: Limits, granted: int | None, made: Move) -> None:
    """Find an answer at fault that came too late; of a player that broke, that is the lesser fault."""
    if made.fault in (None, Fault.ILLEGAL) and (found := late(limits, granted, made, made.move)):
        made.fault, made.evidence = found.fault, made.evidence or found.evidence


# --- Illegal --------------------------------------------------------------------------------------------------------


def no_move(answer: Any) -> Verdict:
    """The verdict on an answer that is not even a number which the game can write."""
    try:
        return Verdict(Fault.ILLEGAL, repr(answer)[:_LONGEST_EVIDENCE])
    except Exception:  # what a player answers may be anything, with code of its own
        return Verdict(Fault.ILLEGAL, type(answer).__name__)


def judge_move(game: Game, state: State, made: Move, number: int) -> None:
    """Find a move at fault that the rules do not allow."""
    if made.fault is None and number not in game.moves(state, made.seat):
        made.fault, made.evidence = Fault.ILLEGAL, made.move


# --- What a fault costs ---------------------------------------------------------------------------------------------


def puts_out(limits: Limits, fault: Fault, cost: Cost) -> bool:
    """Whether a fault puts its player out, with what its move cost."""
    if fault is Fault.QUIT or limits.policy is Policy.LOSE:
        return True
    return late(limits, limits.hard, cost) is not None


def final_scores(points: list[float], out: Collection[Out], game: Game) -> list[float]:
    """The scores of an episode whose rules gave these points, after some players fell out.

    The others are ranked by points and those who fell out behind them, who fell earlier further behind; the first
    place gives 1 and the last −1, the places between evenly less, and a tie shares its places. A player that is alone
    gets the lowest score there is.
    """
    if not out:
        return points
    if len(points) == 1:
        return [game.facts().lowest_score]
    ranks = [(1.0, value) for value in points]
    for fallen in out:
        ranks[fallen.seat] = (0.0, float(fallen.step))
    last = len(points) - 1
    return [(sum(other < rank for other in ranks) - sum(other > rank for other in ranks)) / last for rank in ranks]
