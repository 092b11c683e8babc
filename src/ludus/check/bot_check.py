"""`ludus check bot`: numbered steps in which each problem comes with a fix."""

from collections.abc import Iterator

from ludus.agents.random import Random
from ludus.bots.bot import Bot
from ludus.bots.dialogue import FoulError
from ludus.check.bot_life import ends, gets_ready, leaves_nothing, starts
from ludus.check.bot_moves import answers, keeps_time, opens, plays, plays_again, takes_positions
from ludus.check.remedies import Evidence, broken
from ludus.check.steps import ProblemError, Procedure, Step, in_order
from ludus.check.trials import Trial
from ludus.core.errors import LudusError
from ludus.episode.limits import START_UP
from ludus.episode.seating import prepare, seated
from ludus.games.game import Game

MOVE_TIME = 1_000_000_000
"""Default time for a move, in nanoseconds."""


def check_bot(bot: Bot, game: Game, move_time: int = MOVE_TIME, patience: int = START_UP) -> Iterator[Step]:
    """Check a bot in a game; each step is yielded as it ends.

    The bot has `patience` nanoseconds to get ready; a late move is waited for as long.
    """
    prepare(game, [bot, Random()])
    trial = Trial(bot, game, move_time, patience)
    with seated([trial.player], game):
        yield from in_order(STEPS, lambda number: STEPS[number - 1].taken(number, lambda: trial, _explained))


def _explained(error: Exception) -> ProblemError:
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, FoulError):
        return broken(Evidence.read(error.evidence))
    if isinstance(error, LudusError):
        return ProblemError(str(error).rstrip("."))
    raise error


STEPS = [
    Procedure("The program exists and starts", starts),
    Procedure("The bot answers all messages before the game", gets_ready, (1,)),
    Procedure("The bot opens with a legal move", opens, (2,)),
    Procedure("The bot answers moves in every seat", answers, (3,)),
    Procedure("The bot plays whole games", plays, (4,)),
    Procedure("The bot moves in time", keeps_time, (3,)),
    Procedure("The bot accepts a start position", takes_positions, (5,)),
    Procedure("Same seed, same moves", plays_again, (5,)),
    Procedure("The bot exits on request, and at the end of input", ends, (2,)),
    Procedure("The bot leaves nothing behind and writes nothing unasked", leaves_nothing, (2,)),
]
