"""Players for bots behind pipes: start their processes, ask for moves, measure time, and end them."""

import select
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from time import monotonic_ns, time_ns

from msgspec.structs import replace

from ludus.agents.agent import Agent, Choice, Clock
from ludus.bots.bot_briefing import for_bots
from ludus.bots.dialogue import AgainError, Dialogue, FoulError, Program
from ludus.bots.metrics_file import read_metrics
from ludus.bots.process import fast_io
from ludus.bots.process.meter import Meter
from ludus.bots.process.process_io import ProcessIO, shown
from ludus.episode import verdict
from ludus.episode.cores import spread
from ludus.episode.cost import SLOWEST_CLOCK
from ludus.episode.exclusive import release
from ludus.episode.limits import THINKING, Limits
from ludus.episode.player import Answers, Briefing, Player
from ludus.episode.record import Fault, Preparation, Record
from ludus.episode.request import Answer, Request
from ludus.kernel.rules import State

FAREWELL = 0.5
"""Seconds that a bot has to exit after the message that ends it."""
_LOOK = fast_io.TICK * 1_000_000
_ENDING = 5 * 10**9  # nanoseconds allowed for ending a late bot with all its processes
_GOING_ON = 10**9  # nanoseconds for a process of the last episode to get ready, before a new one is started
_MOST_REMARKS = 20
_LONGEST_REMARK = 300
_REST = 10**8  # nanoseconds of silence after which a bot that said ERROR counts as waiting for a message
_LONG_ASK = 5_000_000  # nanoseconds that sending takes at most if the bot reads its input


class BotPlayer(Player):
    """The player of a bot, whose process lives for one episode, or for many where the protocol allows."""

    def __init__(self, agent: Agent, program: Program, name: str = "") -> None:
        super().__init__(agent, name)
        fast_io.load()
        self._program = program
        self.folder = program.folder if agent.exclusive else None
        self._others: Sequence[BotPlayer] = ()  # of the episode; checked while this one thinks
        self._files = ExitStack()  # of the episode
        self.process: ProcessIO | None = None
        """The bot's process, from the first `begin` until its end."""
        self._starts_anew = False  # for each episode, because an earlier process could not serve another one
        self._dialogue = Dialogue()
        self.remarks: list[str] = []
        """Notes on unusual events in the last episode, and at the end of the process."""
        self._log = ""
        self._gone: tuple[Fault, str] | None = None
        """The fault after which the bot cannot be asked again."""
        self._untold = ""
        """The evidence of that fault until it has been reported."""
        self.waits = False
        """True if its answer has not come yet."""
        self._answer = Answer()
        self._has_answered = False  # and its answer was not taken yet
        self._foul: FoulError | None = None
        self._began = self._deadline = self._look_at = self._heard = 0

    # --- Getting ready ----------------------------------------------------------------------------------------------

    def begin(self, briefing: Briefing) -> Preparation:
        self._others = [p for p in briefing.players if isinstance(p, BotPlayer) and p is not self]
        folder = self._program.folder
        shared = any(other._program.folder == folder for other in self._others)
        self._briefing = briefing = for_bots(briefing, folder, self._files, shared=shared)
        self._limits = briefing.limits
        self._gone = None
        self._untold = ""
        self.remarks = []
        self._log = ""
        self._cpu = 0
        self._clock: Clock | None = None
        self._since = time_ns()
        granted = self._limits.preparation or 0
        until = verdict.latest(self._limits, granted)
        try:
            if self.process is None or not self._goes_on(self.process, min(until, _GOING_ON)):
                self._began, program = monotonic_ns(), self._program
                self.process = ProcessIO(program, self._limits)
                if program.cores > 1:
                    spread(self.process.child.pid, program.cores)
                self._dialogue = program.dialogue()
                self._greet(self.process, granted, until)
            self.process.rest()
        except FoulError as foul:
            wall = monotonic_ns() - self._began
            return Preparation(foul.fault, self._break(foul), wall=wall, cpu=self._cpu)
        return Preparation(wall=monotonic_ns() - self._began, cpu=self._cpu)

    def _goes_on(self, process: ProcessIO, granted: int) -> bool:
        """Prepare the process of the last episode for this one, or end it without a fault; True if it is ready."""
        self._began = monotonic_ns()
        process.child.thaw()
        if (status := process.child.status()) is not None:
            why = f"its process {status}"
        else:
            process.meter = Meter(process.child)
            try:
                self._greet(process, granted, granted)
                return True
            except AgainError:
                why = "its process cannot serve another episode"
            except FoulError as foul:
                why = process.evidence(foul.evidence).partition("\n")[0]
            self._starts_anew = True
        self.remarks.append(f"was restarted: {why}")
        self._end_process()
        return False

    def _greet(self, process: ProcessIO, granted: int, until: int) -> None:
        self._deadline = self._began + until
        process.meter.begin()
        try:
            self._talk(process, granted)
        finally:
            self._cpu = process.meter.end().cpu

    def _talk(self, process: ProcessIO, granted: int) -> None:
        talk = self._dialogue.begin(self._briefing)
        message, sent = next(talk, None), b""
        while message is not None:
            if message:
                process.send(message)
                sent = message
            while not process.lines:
                if monotonic_ns() > self._deadline:
                    fault, late = verdict.not_within(granted, f"answer {shown(sent)}")
                    raise FoulError(fault, f"{late}; its process was {process.child.state()}")
                for stream, _ in process.ready():
                    process.take(stream)
                if not process.lines:
                    process.look()
                    self._glance_at_others()
            try:
                message = talk.send(process.lines.popleft().decode("utf-8", "replace"))
            except StopIteration:
                return

    # --- Thinking ---------------------------------------------------------------------------------------------------

    def think(self, request: Request) -> Answer:
        process = self.process
        message = self._question(request)
        if process is not None and message is not None:
            try:
                self._began, ended, cpu = process.exchange(message)
                self._understand(process, ended, cpu)
            except FoulError as foul:
                self._understand(process, monotonic_ns(), foul=foul)
            while self.waits:
                self.attend(process.ready(), monotonic_ns())
        return self.settle()

    def ask(self, request: Request) -> None:
        """Send the request for a move; `attend` reads the answer."""
        process = self.process
        message = self._question(request)
        if process is not None and message is not None:
            try:
                process.forget()
                process.send(message)
            except FoulError as foul:
                self._conclude(process, foul=foul)

    @staticmethod
    def ask_together(asked: Sequence[tuple["BotPlayer", Request]]) -> Answers:
        """Ask bots at the same time; a bot that does not read its message costs the others no time."""
        for number, (player, request) in enumerate(asked):
            before = monotonic_ns()
            player.ask(request)
            if (lost := monotonic_ns() - before) > _LONG_ASK:
                for other, _ in asked[:number]:
                    other._began += lost
                    other._deadline += lost
        return partial(_collect, [player for player, _ in asked])

    def _question(self, request: Request) -> bytes | None:
        """Start the clock, and return the message that asks for a move; None if there is no process to ask."""
        process = self.process
        if process is None:
            return None
        if request.clock is not self._clock:
            self._clock, limit = request.clock, request.clock.limit()
            self._granted = THINKING if limit is None else limit
            self._patience = verdict.patience(self._limits, self._granted)
        message = self._dialogue.ask(request)
        process.child.thaw()
        meter = process.meter
        self._began = began = meter.begin()
        if meter.broken:
            self._conclude(process, began, foul=FoulError(Fault.FAILED, meter.broken))
            return None
        self.waits = True
        self._deadline = began + self._patience
        self._look_at = began + _LOOK
        return message

    def attend(self, ready: Iterable[tuple[int, int]], now: int) -> None:
        """Read the streams that are ready, and look for the answer or a broken limit."""
        process, foul = self.process, None
        assert process is not None
        try:
            for stream, _ in ready:
                process.take(stream)
        except FoulError as last:
            foul = last
        self._understand(process, now, foul=foul)

    def _understand(self, process: ProcessIO, now: int, cpu: int | None = None, foul: FoulError | None = None) -> None:
        """Look for the answer, with the reading of the CPU clock at that time, if known.

        A `foul` counts unless the answer came first.
        """
        try:
            lines = process.lines
            if lines:
                self._heard = now
            while lines:
                choice = self._dialogue.receive(lines.popleft().decode("utf-8", "replace"))
                if choice is not None:
                    self._conclude(process, now, cpu, choice)
                    return
            if foul is not None:
                raise foul
            if now - self._heard > _REST and (message := self._dialogue.again()):
                process.send(message)
            if now > self._look_at:
                self._look(process, now)
        except FoulError as found:
            self._conclude(process, now, cpu, foul=found)

    def _look(self, process: ProcessIO, now: int) -> None:
        self._look_at = min(now + _LOOK, self._deadline)
        process.look()
        self._glance_at_others()
        if now > self._deadline and not process.lines:
            state, cost = process.child.state(), process.meter.end()
            cost.wall = now - self._began
            if (counts := cost.on_the_clock) <= self._patience:
                self._deadline = now + self._patience - counts
                return
            did = "gave no answer, and was ended"
            if late := verdict.late(self._limits, self._granted, cost, did):
                raise FoulError(late.fault, f"{late.evidence}; its process was {state}")

    def _glance_at_others(self) -> None:
        """Check that the others keep to their limits; ending one of them takes time that is on no clock."""
        before = monotonic_ns()
        if [other for other in self._others if other.glance()]:
            lost = monotonic_ns() - before
            for player in (self, *self._others):
                player._began += lost
                player._deadline += lost

    def glance(self) -> bool:
        """Check a bot that is not being asked; True if it broke a limit and was ended, a fault at its next turn."""
        process = self.process
        if process is None or self.waits or (broken := process.meter.tick()) is None:
            return False
        self._untold = self._break(FoulError(Fault.FAILED, broken))
        return True

    def _conclude(
        self,
        process: ProcessIO,
        now: int | None = None,
        cpu: int | None = None,
        choice: Choice | None = None,
        foul: FoulError | None = None,
    ) -> None:
        """Stop waiting for this bot. Slow work is left to `settle`, because others may still be thinking."""
        self.waits = False
        self._has_answered = True
        self._foul = foul
        cost = process.meter.end() if cpu is None else process.meter.end(now, cpu)
        cost.wall = (monotonic_ns() if now is None else now) - self._began
        if foul is None or foul.fault is Fault.ILLEGAL:
            process.rest()
        move, metrics = (None, None) if choice is None else (choice.move, choice.metrics)
        self._answer = Answer(move, metrics, cost=cost)

    def settle(self) -> Answer:
        """The answer, when it has come or none will: a process that fails or stays silent is ended."""
        process, answer, foul = self.process, self._answer, self._foul
        has_answered, self._has_answered = self._has_answered, False
        late = None
        if has_answered and foul is None:
            late = verdict.late(self._limits, self._granted, answer.cost, "answered")
            if late is None:  # even if it broke a limit later, while others were thinking
                return answer
        if process is None:
            reason = self._gone[1].partition("\n")[0] if self._gone is not None else "it was released"
            evidence, self._untold = self._untold or f"has been gone since: {reason}", ""
            return Answer(fault=Fault.FAILED, evidence=evidence)
        if late is not None:
            return replace(answer, fault=late.fault, evidence=process.evidence(late.evidence))
        assert foul is not None
        evidence = process.evidence(foul.evidence) if foul.fault is Fault.ILLEGAL else self._break(foul)
        return replace(answer, fault=foul.fault, evidence=evidence)

    def _break(self, foul: FoulError) -> str:
        """End a process that cannot be used any longer, and return the evidence."""
        evidence = foul.evidence
        if self.process is not None:
            self.remarks += self.process.meter.pondering()
            self.process.child.thaw()
            evidence = self.process.evidence(evidence)
        self._gone = foul.fault, evidence
        self._end_process()
        return evidence

    @property
    def streams(self) -> set[int]:
        """Open output streams of the bot."""
        return self.process.streams if self.process is not None else set()

    # --- The end ----------------------------------------------------------------------------------------------------

    def longest_start(self, limits: Limits) -> int:
        return (limits.for_bots().preparation or 0) + _ENDING

    def longest(self, limit: int | None) -> int:
        return SLOWEST_CLOCK * verdict.patience(self._limits, THINKING if limit is None else limit) + _ENDING

    def finish(self, record: Record, seat: int, state: State) -> None:
        self.glance()
        if self._untold:
            self.remarks.append(self._untold.partition("\n")[0])
        if self.process is not None:
            self.remarks += self.process.meter.pondering()
        if self._starts_anew or not self._dialogue.stays:
            self._end_process()
        if self.process is None:
            release(self)
        self._take_down()
        self._files.close()
        moves = [move for step in record.steps for move in step if move.seat == seat and move.fault is None]
        texts = [move.move for move in moves]
        metrics, remarks = read_metrics(self._program.folder, self._briefing.name, texts, self._since)
        for move, written in zip(moves, metrics, strict=True):
            move.metrics = {**move.metrics, **written}
        record.seats[seat].log = self._log
        record.seats[seat].remarks = [
            shown(remark.encode(), _LONGEST_REMARK) for remark in [*self.remarks, *remarks][:_MOST_REMARKS]
        ]

    def close(self) -> None:
        self._end_process()
        release(self)
        self._files.close()

    def _end_process(self) -> None:
        process = self.process
        if process is None:
            return
        if self._gone is None:
            with suppress(FoulError):
                process.forget()
            with suppress(FoulError):
                process.send(self._dialogue.end())
            self.remarks += process.end(FAREWELL)
        else:
            self.remarks += process.end(0)
        self._take_down()
        self.process = None

    def _take_down(self) -> None:
        """Keep the log and the notes of the process."""
        self.remarks += self._dialogue.remarks[:_MOST_REMARKS]
        self._dialogue.remarks.clear()
        if self.process is not None:
            self.process.drain()
            self.remarks += [f"wrote {shown(line)!r} unasked" for line in self.process.unasked]
            self.process.unasked.clear()
            self._log += self.process.log.take()


def _collect(players: Sequence[BotPlayer]) -> list[Answer]:
    """Wait until all of these bots have answered; slow work comes last, so that it costs no bot its time."""
    while waiting := [player for player in players if player.waits]:
        poll = select.poll()
        owners = {stream: player for player in waiting for stream in player.streams}
        for stream in owners:
            poll.register(stream, select.POLLIN)
        ready = poll.poll(fast_io.TICK)
        now = monotonic_ns()
        for player in waiting:
            player.attend([event for event in ready if owners[event[0]] is player], now)
    return [player.settle() for player in players]
