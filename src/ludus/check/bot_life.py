"""The steps of a bot's check that look at its process: starting, getting ready, ending, leftovers."""

import os
import shutil
import time

from ludus.bots.bot import Bot
from ludus.bots.bot_player import FAREWELL
from ludus.check.remedies import ASIDE, FLUSH, Evidence, expect_no_mistake, last_lines, manners
from ludus.check.steps import ProblemError, Seen
from ludus.check.trials import Trial, close, watch
from ludus.core.registry import names
from ludus.core.spec import RUNNERS
from ludus.core.text import format_duration, spoken_size, spoken_time
from ludus.episode.record import Fault

ENDING = 2.0
"""Seconds after which a bot is considered not to end."""
_WATCHED = 0.5  # seconds within which a program that cannot run ends
_LAST_CHANCE = 3.0  # seconds for a bot to flush its output when its input ends
_MOST_SHOWN = 3
_KILLED, _LEFT = "was still there", "left "
_UNASKED = (" unasked", " before OK")


def starts(trial: Trial) -> Seen:
    """Check that the program exists, runs and waits."""
    bot = trial.bot
    program = bot.argv()[0]
    if shutil.which(program) is None and os.path.isfile(program):
        raise ProblemError(f"the bot cannot be started: {program} is not executable", _how_to_start(bot))
    if reason := bot.unsuited(trial.game):
        raise ProblemError(f"the bot {reason}", _how_to_start(bot))
    process = trial.start()
    try:
        if ended := watch(process, _WATCHED):
            log = process.log.text()
            remedy = "fix what it reports on standard error" if log.strip() else "let it read lines from standard input"
            raise ProblemError(f"its process {ended} before any message was sent", remedy, *last_lines(log))
    finally:
        process.end(0)
    return [f"runs {bot.command} in {bot.working_directory()}"], {}


def _how_to_start(bot: Bot) -> str:
    program = bot.argv()[0]
    if shutil.which(program) is not None:
        return "name another game, or the protocol that it speaks"
    interpreter = RUNNERS.get(os.path.splitext(program)[1])
    if os.path.isfile(program):
        direct = f"write ./{program}" if "/" not in program else f"type chmod +x {program}"
        return f"{direct}, or let another program run it: '{interpreter} {program}'" if interpreter else direct
    if ":" in program:
        return f"write a protocol before the colon: {', '.join(names('protocol'))}"
    if "/" in program:
        return "check its name; relative paths start at the current folder"
    return f"check its name; a file in the current folder is ./{program}"


def gets_ready(trial: Trial) -> Seen:
    """Check that the bot answers all messages before the game, in every seat."""
    for seat in range(trial.game.seats):
        played = trial.greet(seat)
        if played.fault and played.fault[0] is Fault.LATE:
            evidence = Evidence.read(played.fault[1])
            if evidence.silent and trial.speaks_when_input_ends(min(_LAST_CHANCE, trial.patience / 1e9)):
                raise ProblemError(
                    f"no answer to '{evidence.asked}' within {format_duration(trial.patience)}, but one when its input "
                    "ended",
                    FLUSH,
                )
        expect_no_mistake(trial, played)
    return [f"ready after {spoken_time(trial.slowest_start())} at most"], {}


def ends(trial: Trial) -> Seen:
    """Check that the bot's process ends when it should."""
    notes = []
    farewell = trial.bot.dialogue().end().decode().strip()
    for asked, when in ((True, f"'{farewell}'"), (False, "the end of its input")):
        player = trial.ready()
        process = player.process
        assert process is not None
        begin = time.monotonic()
        try:
            ended = trial.exits(process, ENDING, asked=asked)
            took, state = time.monotonic() - begin, process.child.state()
        finally:
            remarks = close(player)
        if ended is None:
            busy = ", and was busy" if state == "running" else ""
            raise ProblemError(
                f"the bot was still there {ENDING:g} s after {when}{busy}", _how_to_end(trial.bot, asked)
            )
        trial.remarks += remarks
        late = f"; it is killed after {FAREWELL:g} s" if asked and took > FAREWELL else ""
        notes.append(f"after {when} the bot {ended}, in {spoken_time(took * 1e9)}{late}")
    clean = [played for played in trial.played if not played.fault]
    killed = [played for played in clean if any(remark.startswith(_KILLED) for remark in played.remarks)]
    if clean and len(killed) == len(clean):
        raise ProblemError(
            f"the bot was still there {FAREWELL:g} s after every episode", _how_to_end(trial.bot, asked=True)
        )
    if killed:
        notes.append(
            f"the bot was still there {FAREWELL:g} s after {len(killed)} of {len(clean)} episodes, and was killed"
        )
    return notes, {}


def _how_to_end(bot: Bot, asked: bool) -> str:
    if asked:
        return f"{manners(bot).farewell}; otherwise it is killed, and unsaved data is lost"
    return "end the program at the end of its input, which is how it notices that Ludus is gone"


def leaves_nothing(trial: Trial) -> Seen:
    """Check that all of the bot's processes ended by themselves, and that it sent only answers."""
    trial.remarks += close(trial.player)
    remarks = [remark for played in trial.played for remark in played.remarks] + trial.remarks
    ended = [remark for played in trial.played if not played.fault for remark in played.remarks] + trial.remarks
    left = [remark for remark in ended if remark.startswith(_LEFT)]  # a killed process had no time to end others
    unasked = [remark for remark in remarks if remark.endswith(_UNASKED) and not _may_be_sent(remark, trial.bot)]
    others = [r for r in dict.fromkeys(remarks) if r not in unasked and not r.startswith((_KILLED, _LEFT))]
    notes = [f"the bot {remark}" for remark in others[:_MOST_SHOWN]]
    if files := trial.files():
        notes.append(f"files written to its folder: {len(files)}, such as {files[0]}")
    memory = max((move.memory for played in trial.played for move in played.moves), default=0)
    if left:
        raise ProblemError(
            f"the bot {left[0]}",
            "end every process that it has started, and wait for it, before it exits",
            *_all(unasked),
            *notes,
        )
    if unasked:
        raise ProblemError(
            f"the bot {unasked[0]}", f"answer every message with one line, and {ASIDE}", *_all(unasked[1:]), *notes
        )
    return [f"{spoken_size(memory)} of memory at most", *notes], {"memory": memory}


def _may_be_sent(remark: str, bot: Bot) -> bool:
    return remark.removeprefix("wrote ").lstrip("'\"").startswith(manners(bot).unasked)


def _all(remarks: list[str]) -> list[str]:
    different = list(dict.fromkeys(remarks))
    return [f"the bot {remark}" for remark in different[:_MOST_SHOWN]]
