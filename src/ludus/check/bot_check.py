"""`ludus check bot`: numbered steps in which each problem comes with a fix."""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ludus.agents.random import Random
from ludus.bots.bot import Bot
from ludus.bots.dialogue import FoulError
from ludus.check.bot_life import ends, gets_ready, leaves_nothing, starts
from ludus.check.bot_moves import answers, keeps_time, opens, plays, plays_again, takes_positions
from ludus.check.remedies import Evidence, MistakeError, broken
from ludus.check.steps import Seen, Step
from ludus.check.trials import NothingToTryError, Trial
from ludus.core.errors import LudusError
from ludus.episode.limits import START_UP
from ludus.episode.seating import prepare, seated
from ludus.games.game import Game

MOVE_TIME = 1_000_000_000
"""Nanoseconds for a move, where nothing else is said."""

MUST_PASS = "must pass first"
"""How the reason ends for which a step is left out after another has failed."""


class Procedure(NamedTuple):
    """A step with its title, and the steps that must have passed before."""

    title: str
    run: Callable[[Trial], Seen]
    needs: tuple[int, ...]


def check_bot(bot: Bot, game: Game, move_time: int = MOVE_TIME, patience: int = START_UP) -> Iterator[Step]:
    """Check a bot in a game; steps come as they end.

    It has `patience` nanoseconds to get ready; a late move is waited for as long.
    """
    prepare(game, [bot, Random()])
    trial = Trial(bot, game, move_time, patience)
    to_blame: dict[int, int] = {}  # for each step without a result, the one that failed
    with seated([trial.player], game):
        for number, procedure in enumerate(STEPS, 1):
            begin = time.monotonic()
            outcome: dict[str, Any]
            if blamed := next((to_blame[needed] for needed in procedure.needs if needed in to_blame), None):
                to_blame[number] = blamed
                outcome = {"verdict": "skipped", "problem": f"step {blamed} {MUST_PASS}"}
            else:
                outcome = _outcome(procedure, trial)
                if outcome["verdict"] == "failed":
                    to_blame[number] = number
            yield Step(number=number, title=procedure.title, seconds=time.monotonic() - begin, **outcome)


def _outcome(procedure: Procedure, trial: Trial) -> dict[str, Any]:
    try:
        notes, figures = procedure.run(trial)
    except NothingToTryError as reason:
        return {"verdict": "skipped", "problem": str(reason)}
    except MistakeError as mistake:
        return _failed(mistake)
    except FoulError as foul:
        return _failed(broken(Evidence.read(foul.evidence)))
    except LudusError as error:
        return _failed(MistakeError(str(error).rstrip(".")))
    return {"verdict": "passed", "notes": notes, "figures": figures}


def _failed(mistake: MistakeError) -> dict[str, Any]:
    return {"verdict": "failed", "problem": mistake.what, "remedy": mistake.remedy, "notes": mistake.notes}


STEPS = [
    Procedure("its program is there and starts", starts, ()),
    Procedure("it answers what it is told before the game", gets_ready, (1,)),
    Procedure("it opens with a legal move", opens, (2,)),
    Procedure("it answers moves, in every seat", answers, (3,)),
    Procedure("it plays whole games to their end", plays, (4,)),
    Procedure("it keeps time", keeps_time, (3,)),
    Procedure("it takes a start position", takes_positions, (5,)),
    Procedure("played again with the same seed", plays_again, (5,)),
    Procedure("it ends when it is told to, and when its input ends", ends, (2,)),
    Procedure("it leaves nothing behind, and says nothing but answers", leaves_nothing, (2,)),
]
