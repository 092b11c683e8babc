"""Faults of a bot and how to fix them, in the words of its protocol."""

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
    "many languages keep output back until a buffer is full: flush after every line, as by print(…, flush=True) in "
    "Python, fflush(stdout) in C, endl in C++"
)
ASIDE = "write everything but answers to standard error"

_MOST_MOVES = 20
_LONGEST_MESSAGE = 60
_LAST_LINES = 6
_ANSWERS = (r"'(.*)' is no legal move", r"said '(.*)', which is no move", r"played (\S+), which is")
_BREAKS = {
    "its process ended": "read on until it is told to end",
    "its process was killed": "say the same to it by hand, and find out where it breaks",
    "closed its standard": "leave its standard input and output open",
    "does not read": "read every line that it is sent",
    "wrote more than": f"look for a loop that writes without end, and {ASIDE}",
    "granted": "use less, or look for a loop that never ends",
}
"""What to do about the ways in which a process breaks, by words that tell of them."""
_COUNTED = re.compile(r"[a-z]?\d+(?:[^\w\s]\d+)*", re.IGNORECASE)


class Manners(NamedTuple):
    """The demands of a protocol on a bot, as advice."""

    greeting: str = "answer as the protocol has it"
    moving: str = "answer with a move"
    clock: str = "heed the time that it is told"
    position: str = "begin where it is told to"
    farewell: str = "leave your loop when it is told to"
    unasked: tuple[str, ...] = ()
    """With what a line may begin that nobody asked for."""


_MANNERS = {
    "stdio": Manners(
        "answer every INFO with a line OK, whatever its key",
        "answer START and every TURN with a line that holds a move",
        "INFO timeout_turn tells the milliseconds for a move: stop a little earlier",
        "INFO initial_board names a file whose first line is the position: read it before the first move",
        "leave your loop and end the program when it reads END",
        ("ERROR",),
    ),
    "gomocup": Manners(
        "answer START with a line OK",
        "answer BEGIN, TURN and BOARD with a line x,y",
        "INFO timeout_turn tells the milliseconds for a move: stop a little earlier",
        "the lines after BOARD tell every stone: forget what was before, and put them up",
        "leave your loop and end the program when it reads END",
        ("ERROR", "MESSAGE", "DEBUG", "UNKNOWN"),
    ),
    "uci": Manners(
        "answer uci with uciok, and isready with readyok",
        "answer go with bestmove",
        "go movetime tells the milliseconds for a move: stop in time",
        "begin from the FEN that position tells",
        "end the program when it reads quit",
        ("info", "bestmove"),
    ),
}


def manners(bot: Bot) -> Manners:
    """The demands of the bot's protocol."""
    return _MANNERS.get(bot.name, Manners())


class Evidence(NamedTuple):
    """The evidence of a fault in its parts; messages begin with > or <, for those sent and heard."""

    sentence: str
    messages: list[str]
    log: str

    @classmethod
    def read(cls, text: str) -> "Evidence":
        """Take the evidence in a record apart."""
        head, _, log = text.partition("\nstandard error:\n")
        sentence, _, messages = head.partition("\nlast messages:\n")
        return cls(sentence, messages.splitlines(), log)

    @property
    def asked(self) -> str:
        """The last message that was sent."""
        sent = next((message[2:] for message in reversed(self.messages) if message.startswith(">")), "")
        return sent if len(sent) <= _LONGEST_MESSAGE else f"… {sent[-_LONGEST_MESSAGE:]}"

    @property
    def heard(self) -> str:
        """The line after the last message, if there is one."""
        return self.messages[-1][2:] if self.messages and self.messages[-1].startswith("<") else ""

    @property
    def silent(self) -> bool:
        """Whether nothing was ever said."""
        return not any(message.startswith("<") for message in self.messages)

    @property
    def half(self) -> str:
        """The bytes that came without an end of line."""
        return self.heard.removesuffix(" (half a line)") if self.heard.endswith(" (half a line)") else ""


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
        remedy = "mend what it wrote to standard error"
    else:
        remedy = next((advice for words, advice in _BREAKS.items() if words in evidence.sentence), "")
    return ProblemError(_sentence(evidence.sentence) + asked, remedy, *last_lines(evidence.log))


def last_lines(log: str) -> list[str]:
    """The end of what a bot wrote to standard error, as a note."""
    lines = [line.rstrip() for line in log.strip().splitlines()][-_LAST_LINES:]
    return ["\n".join(["standard error:", *lines])] if lines else []


def _sentence(evidence: str) -> str:
    return evidence if evidence.startswith("its ") or " cannot be started" in evidence else f"it {evidence}"


def _silent(bot: Bot, played: Played, evidence: Evidence, *, preparing: bool) -> ProblemError:
    waited = played.record.limits.preparation if preparing else max(move.wall for move in played.moves)
    advice = manners(bot).greeting if preparing else manners(bot).moving
    what = f"no answer to '{evidence.asked}' within {format_duration(waited or 0)}"
    if evidence.half:
        return ProblemError(
            f"it answered '{evidence.asked}' with '{evidence.half}', but without the end of a line",
            "end every line with a line feed, as println and endl do, and flush",
        )
    if evidence.sentence.startswith("answered"):
        return ProblemError(
            f"it answered '{evidence.asked}' only after {format_duration(waited or 0)}", manners(bot).clock
        )
    if evidence.heard:
        return ProblemError(f"{what}: it said '{evidence.heard}'", f"{advice}, and {ASIDE}")
    if evidence.sentence.endswith("running"):
        return ProblemError(f"{what}, and it was still busy", f"look for a loop that never ends; {manners(bot).clock}")
    return ProblemError(what, f"{advice}, and flush your output: {FLUSH}", *last_lines(evidence.log))


# --- Illegal moves ------------------------------------------------------------------------------------------------


def _illegal(bot: Bot, game: Game, played: Played, evidence: Evidence) -> ProblemError:
    state, number = position_of_fault(game, played)
    said = next((match[1] for words in _ANSWERS if (match := re.search(words, evidence.sentence))), evidence.heard)
    legal = [spelled(bot, game.format(state, played.seat, move)) for move in game.moves(state, played.seat)]
    start = start_state(game, Opening(played.record.opening.position, played.record.opening.seed))
    known = [
        spelled(bot, game.format(start, player, move))
        for player in game.movers(start)
        for move in game.moves(start, player)
    ]
    some = " ".join(legal[:_MOST_MOVES]) + (f" … ({len(legal)} in all)" if len(legal) > _MOST_MOVES else "")
    return ProblemError(
        f"it answered '{evidence.asked}' with '{said}', which is no legal move",
        _mend(said, legal, known),
        f"seat {played.seat}, its move {number}:\n{game.draw(state)}",
        f"legal moves: {some}",
    )


def position_of_fault(game: Game, played: Played) -> tuple[State, int]:
    """Where the bot made its first fault, and which of its moves that was to be."""
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


def _mend(said: str, legal: list[str], known: list[str]) -> str:
    example = legal[len(legal) // 2]
    if said.lower() in {move.lower() for move in known}:
        return "that move is there, but not now: let your board have every move that it is told, and its own"
    if said.upper() == "OK":
        return f"say OK once to what asks for it, and answer with a move like {example} where one is due"
    if len(said.split()) > 1:
        return f"answer with the move alone, as in {example}, and {ASIDE}"
    numbers, given = _numbers(" ".join(known)), _numbers(said)
    if _COUNTED.fullmatch(said) and numbers:
        if min(numbers) == 1 and 0 in given:
            return f"perhaps you count from 0 where the game counts from 1: a legal move is {example}"
        if min(numbers) == 0 and max(numbers) + 1 in given:
            return f"perhaps you count from 1 where the game counts from 0: a legal move is {example}"
    return f"write a move like {example}"


def _numbers(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}
