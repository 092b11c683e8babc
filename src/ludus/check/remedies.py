"""Faults of a bot and how to fix them, in terms of its protocol."""

import re
from itertools import islice
from typing import NamedTuple

from ludus.bots.bot import Bot
from ludus.check.steps import ProblemError
from ludus.check.trials import Played, Trial
from ludus.core.text import format_duration
from ludus.episode.opening import start_state
from ludus.episode.record import Fault, Opening
from ludus.episode.replay import replay
from ludus.games.game import Game
from ludus.kernel.rules import State

FLUSH = (
    "many languages buffer their output: flush after every line, with print(…, flush=True) in Python, fflush(stdout) "
    "in C, endl in C++"
)
ASIDE = "write all other output to standard error"

_MOST_MOVES = 20
_LONGEST_MESSAGE = 60
_LAST_LINES = 6
_ANSWERS = (r"'(.*)' is not a legal move", r"sent '(.*)', which is not a move", r"played (\S+), which is")
_BREAKS = {
    "its process ended": "keep reading until it is asked to end",
    "its process was killed": "send it the same messages by hand to find the error",
    "closed its standard": "leave its standard input and output open",
    "does not read": "read every line of its input",
    "wrote more than": f"look for an endless loop that writes, and {ASIDE}",
    "granted": "use less, or look for an endless loop",
}
"""Fixes for broken processes, by words of the evidence."""
_COUNTED = re.compile(r"[a-z]?\d+(?:[^\w\s]\d+)*", re.IGNORECASE)


class Manners(NamedTuple):
    """The demands of a protocol on a bot, as advice."""

    greeting: str = "answer as the protocol requires"
    moving: str = "answer with a move"
    clock: str = "observe the time limit that it receives"
    position: str = "begin from the given position"
    farewell: str = "leave its loop on request"
    unasked: tuple[str, ...] = ()
    """Beginnings of lines that a bot may send at any time."""


_MANNERS = {
    "stdio": Manners(
        "answer every INFO with a line OK, whatever its key",
        "answer START and every TURN with a line that holds a move",
        "INFO timeout_turn gives the milliseconds for a move: stop a little earlier",
        "INFO initial_board names a file whose first line is the position: read it before the first move",
        "end the program when it reads END",
        ("ERROR",),
    ),
    "gomocup": Manners(
        "answer START with a line OK",
        "answer BEGIN, TURN and BOARD with a line x,y",
        "INFO timeout_turn gives the milliseconds for a move: stop a little earlier",
        "the lines after BOARD list every stone: clear the board, then place them",
        "end the program when it reads END",
        ("ERROR", "MESSAGE", "DEBUG", "UNKNOWN"),
    ),
    "uci": Manners(
        "answer uci with uciok, and isready with readyok",
        "answer go with bestmove",
        "go movetime gives the milliseconds for a move: stop in time",
        "begin from the FEN that follows position",
        "end the program when it reads quit",
        ("info", "bestmove"),
    ),
}


def manners(bot: Bot) -> Manners:
    """The demands of the bot's protocol."""
    return _MANNERS.get(bot.name, Manners())


class Evidence(NamedTuple):
    """The parts of the evidence of a fault; messages begin with > if sent and with < if received."""

    sentence: str
    messages: list[str]
    log: str

    @classmethod
    def read(cls, text: str) -> "Evidence":
        """Parse the evidence in a record."""
        head, _, log = text.partition("\nstandard error:\n")
        sentence, _, messages = head.partition("\nlast messages:\n")
        return cls(sentence, messages.splitlines(), log)

    @property
    def asked(self) -> str:
        """The last message that was sent."""
        sent = next((message[2:] for message in reversed(self.messages) if message.startswith(">")), "")
        return sent if len(sent) <= _LONGEST_MESSAGE else f"… {sent[-_LONGEST_MESSAGE:]}"

    @property
    def received(self) -> str:
        """The line after the last message, if there is one."""
        return self.messages[-1][2:] if self.messages and self.messages[-1].startswith("<") else ""

    @property
    def silent(self) -> bool:
        """True if the bot sent nothing at all."""
        return not any(message.startswith("<") for message in self.messages)

    @property
    def half(self) -> str:
        """The bytes that came without an end of line."""
        return self.received.removesuffix(" (half a line)") if self.received.endswith(" (half a line)") else ""


def mistake(bot: Bot, game: Game, played: Played) -> ProblemError | None:
    """The problem of the bot in an episode; None if there is no fault."""
    if played.fault is None:
        return None
    fault, evidence = played.fault[0], Evidence.read(played.fault[1])
    if fault is Fault.ILLEGAL:
        return _illegal(bot, game, played, evidence)
    preparing = not any(move.fault for move in played.moves)
    if fault is Fault.LATE:
        return _silent(bot, played, evidence, preparing=preparing)
    return broken(evidence)


def expect_no_mistake(trial: Trial, played: Played) -> Played:
    """Return the episode, or raise the bot's mistake in it."""
    if found := mistake(trial.bot, trial.game, played):
        raise found
    return played


def broken(evidence: Evidence) -> ProblemError:
    """The problem of a process that broke, or broke a limit."""
    asked = f", after '{evidence.asked}'" if evidence.asked else ""
    if evidence.log and evidence.sentence.startswith("its process"):
        remedy = "fix what it reports on standard error"
    else:
        remedy = next((advice for words, advice in _BREAKS.items() if words in evidence.sentence), "")
    return ProblemError(_sentence(evidence.sentence) + asked, remedy, *last_lines(evidence.log))


def last_lines(log: str) -> list[str]:
    """The end of what a bot wrote to standard error, as a note."""
    lines = [line.rstrip() for line in log.strip().splitlines()][-_LAST_LINES:]
    return ["\n".join(["standard error:", *lines])] if lines else []


def _sentence(evidence: str) -> str:
    return evidence if evidence.startswith("its ") or " cannot be started" in evidence else f"the bot {evidence}"


def _silent(bot: Bot, played: Played, evidence: Evidence, *, preparing: bool) -> ProblemError:
    waited = played.record.limits.preparation if preparing else max(move.wall for move in played.moves)
    advice = manners(bot).greeting if preparing else manners(bot).moving
    what = f"no answer to '{evidence.asked}' within {format_duration(waited or 0)}"
    if evidence.half:
        return ProblemError(
            f"the bot answered '{evidence.asked}' with '{evidence.half}', but without the end of a line",
            "end every line with a line feed, as println and endl do, and flush",
        )
    if evidence.sentence.startswith("answered"):
        return ProblemError(
            f"the bot answered '{evidence.asked}' after more than {format_duration(waited or 0)}", manners(bot).clock
        )
    if evidence.received:
        return ProblemError(f"{what}: the bot wrote '{evidence.received}'", f"{advice}, and {ASIDE}")
    if evidence.sentence.endswith("running"):
        return ProblemError(f"{what}, and the bot was still busy", f"look for an endless loop; {manners(bot).clock}")
    return ProblemError(what, f"{advice}, and flush your output: {FLUSH}", *last_lines(evidence.log))


# --- Illegal moves ------------------------------------------------------------------------------------------------


def _illegal(bot: Bot, game: Game, played: Played, evidence: Evidence) -> ProblemError:
    state, number = position_of_fault(game, played)
    answer = next((match[1] for words in _ANSWERS if (match := re.search(words, evidence.sentence))), evidence.received)
    legal = [spelled(bot, game.format(state, played.seat, move)) for move in game.moves(state, played.seat)]
    start = start_state(game, Opening(played.record.opening.position, played.record.opening.seed))
    known = [
        spelled(bot, game.format(start, player, move))
        for player in game.movers(start)
        for move in game.moves(start, player)
    ]
    some = " ".join(legal[:_MOST_MOVES]) + (f" … ({len(legal)} in all)" if len(legal) > _MOST_MOVES else "")
    return ProblemError(
        f"the bot answered '{evidence.asked}' with '{answer}', which is not a legal move",
        _move_remedy(answer, legal, known),
        f"seat {played.seat}, its move {number}:\n{game.draw(state)}",
        f"legal moves: {some}",
    )


def position_of_fault(game: Game, played: Played) -> tuple[State, int]:
    """The position of the bot's first fault, and the number of the faulty move among its own."""
    number = 0
    for place, step in enumerate(played.record.steps):
        for move in step:
            if move.seat == played.seat:
                number += 1
                if move.fault:
                    before = len(played.record.opening.moves) + place
                    return next(islice(replay(played.record, game), before, None)).state, number
    raise LookupError("no fault in these moves")


def spelled(bot: Bot, move: str) -> str:
    """The text of a move in the protocol."""
    return move.replace("-", ",") if bot.name == "gomocup" else move


def _move_remedy(answer: str, legal: list[str], known: list[str]) -> str:
    example = legal[len(legal) // 2]
    if answer.lower() in {move.lower() for move in known}:
        return "the game has that move, but not in this position: apply every received move, and its own, to its board"
    if answer.upper() == "OK":
        return f"send OK only once, to messages that ask for it, and a move like {example} when it is to move"
    if len(answer.split()) > 1:
        return f"answer with the move alone, as in {example}, and {ASIDE}"
    numbers, given = _numbers(" ".join(known)), _numbers(answer)
    if _COUNTED.fullmatch(answer) and numbers:
        if min(numbers) == 1 and 0 in given:
            return f"the bot may count from 0, but the game counts from 1: a legal move is {example}"
        if min(numbers) == 0 and max(numbers) + 1 in given:
            return f"the bot may count from 1, but the game counts from 0: a legal move is {example}"
    return f"write a move like {example}"


def _numbers(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}
