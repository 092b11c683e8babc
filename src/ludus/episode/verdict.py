"""Verdicts: when an answer is late, illegal or failed, with which evidence, and at what cost to the player.

What is late, and what a fault costs, is decided here and nowhere else. A player or a protocol that cannot read an
answer at all reports the fault itself, with its evidence.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ludus.core.errors import InvalidError
from ludus.core.text import format_duration, spoken_time
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Fault, Move, Out, Preparation
from ludus.games.game import Game
from ludus.kernel.rules import State

_MORE = 500_000_000  # nanoseconds to wait for a late answer, which is better evidence than none
_SECOND_CHANCE = 10  # times the limit granted to a player whose late move does not disqualify it
_LONGEST_EVIDENCE = 100


class Verdict(NamedTuple):
    """A fault and its evidence, with a summary as the first line."""

    fault: Fault
    evidence: str


SILENT = Verdict(Fault.LATE, "gave no answer in time")

# --- Late -----------------------------------------------------------------------------------------------------------


def latest(limits: Limits, granted: int) -> int:
    """The latest time of an answer that counts as in time, in nanoseconds on the referee's clock."""
    return granted + limits.grace


def patience(limits: Limits, granted: int, *, starting: bool = False) -> int:
    """Nanoseconds on the clock to wait for an answer, which may be late but still of use."""
    if limits.policy is Policy.SOFT and limits.hard is not None and not starting:
        granted = max(granted, limits.hard)
    elif limits.policy is not Policy.LOSE:
        return latest(limits, _SECOND_CHANCE * granted)
    return latest(limits, granted) + _MORE


def late(limits: Limits, granted: int | None, cost: Cost, did: str = "") -> Verdict | None:
    """The verdict on an action of a player and its cost, if it was too late; None if it was in time.

    The evidence separates thinking from waiting for a core.
    """
    if granted is None or cost.on_the_clock <= latest(limits, granted):
        return None
    given = f"{format_duration(granted)} and {format_duration(limits.grace)} of grace"
    spent = f"{spoken_time(cost.cpu)} of CPU, {spoken_time(cost.waited)} of waiting for a core"
    return Verdict(Fault.LATE, f"{did} after {spoken_time(cost.wall)}; limit {given}; {spent}")


def not_within(granted: int, deed: str) -> Verdict:
    """The verdict on a player that did not act before its time was up."""
    return Verdict(Fault.LATE, f"did not {deed} within {format_duration(granted)}")


def overrun(doing: str, took: int, waited: int) -> Verdict:
    """The verdict on an agent whose process was ended because an action took too long."""
    spared = f", {spoken_time(waited)} of it waiting for a core" if waited else ""
    return Verdict(Fault.LATE, f"still {doing} after {spoken_time(took)}{spared}, and was ended")


def judge_start(limits: Limits, made: Preparation) -> None:
    """Note a fault of a player that was ready too late."""
    if made.fault is None and (found := late(limits, limits.preparation, made)):
        made.fault = found.fault


def judge_time(limits: Limits, granted: int | None, made: Move) -> None:
    """Note a fault of an answer that came too late, unless the player failed, which is worse."""
    if made.fault in (None, Fault.ILLEGAL) and (found := late(limits, granted, made, made.move)):
        made.fault, made.evidence = found.fault, made.evidence or found.evidence


# --- Illegal --------------------------------------------------------------------------------------------------------


def no_move(answer: Any) -> Verdict:
    """The verdict on an answer that is not even a number that the game can write."""
    try:
        return Verdict(Fault.ILLEGAL, repr(answer)[:_LONGEST_EVIDENCE])
    except Exception:  # an answer may be any object, with code of its own
        return Verdict(Fault.ILLEGAL, type(answer).__name__)


def judge_move(game: Game, state: State, made: Move, number: int) -> None:
    """Note a fault of a move that the rules do not allow."""
    if made.fault is None and number not in game.moves(state, made.seat):
        made.fault, made.evidence = Fault.ILLEGAL, made.move


# --- Cost of a fault ------------------------------------------------------------------------------------------------


def puts_out(limits: Limits, fault: Fault, cost: Cost) -> bool:
    """True if a fault disqualifies its player, given the cost of its move."""
    if fault is Fault.QUIT or limits.policy is Policy.LOSE:
        return True
    return late(limits, limits.hard, cost) is not None


def final_scores(points: list[float], out: Collection[Out], game: Game) -> list[float]:
    """The scores of an episode whose rules gave these points, after disqualifications.

    The others are ranked by points and the disqualified players after them, earlier ones last; the first place gives 1
    and the last −1, with even steps in between, and ties share their places. A single player gets the lowest possible
    score.
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


def wrong_movers(game: Game, movers: Sequence[int], steps: int) -> InvalidError:
    """The error in rules that let players move that the game does not have."""
    return InvalidError(
        f"The rules of {game.name} are wrong: movers says {' and '.join(map(str, movers))} after {steps} steps, but "
        f"the numbers of players are 0 to {game.seats - 1}; 'ludus check game {game.spec()}' says more."
    )
