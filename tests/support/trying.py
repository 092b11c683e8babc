"""The results of `check_bot`."""

from ludus.agents.agent import agent_from
from ludus.bots.bot import Bot
from ludus.check.bot_check import STEPS, check_bot
from ludus.check.steps import Step
from ludus.games.game import game_from

LONG = 20 * 10**9
"""Nanoseconds: more than a good bot needs."""


def check(command: str, game: str = "connect-four", *, move_time: int = LONG, patience: int = LONG) -> dict[int, Step]:
    bot = agent_from(command if ":" in command.partition(" ")[0] else f"stdio:{command}")
    assert isinstance(bot, Bot)
    steps = {step.number: step for step in check_bot(bot, game_from(game), move_time, patience)}
    assert list(steps) == list(range(1, len(STEPS) + 1))
    return steps


def verdicts(steps: dict[int, Step]) -> str:
    """A letter for each step: passed, failed or skipped."""
    return "".join(step.verdict[0] for step in steps.values())


def seen(steps: dict[int, Step]) -> dict[int, str]:
    return {number: "\n".join([step.problem, *step.notes]) for number, step in steps.items()}
