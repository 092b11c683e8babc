"""The agents of Ludus that play on a server, as the server sees them: asked, and heard when they have thought."""

import asyncio
import itertools
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from ludus.contests.speed.game import SpeedState
from ludus.core.errors import LudusError
from ludus.episode.cores import usable_cores
from ludus.episode.record import Fault
from ludus.episode.request import Answer
from ludus.episode.verdict import SILENT
from ludus.net.agent_process import PREPARED, Ask, Rise, Sit, Thought
from ludus.net.clients import nothing

_ON_THE_WAY = 10_000_000  # nanoseconds of a deadline that are left for the way back; less where that is over a fifth
_HEADER = 4  # bytes before each message, as multiprocessing writes them
_ENDED = "the process in which it thought has ended"

_decoder = msgspec.msgpack.Decoder(Thought)


class Mind:
    """One agent at one seat of one game."""

    def __init__(self, process: "_Process", id: int, spec: str) -> None:
        self.spec = self.name = spec
        self.changed: Callable[[], None] = nothing
        self._process = process
        self._id = id
        self._began = 0
        self._asked = 0
        self._answer: Answer | None = None
        self._thinks = False

    def ask(self, state: SpeedState, since: list[list[int]], now: int, nanoseconds: int) -> None:
        """A round begins, in which it has so long."""
        self._began, self._answer, self._asked = now, None, state.clock.item()
        if self._process.ended:
            self._answer = Answer(fault=Fault.FAILED, evidence=_ENDED)
            return
        self._thinks = True
        until = time.monotonic_ns() + nanoseconds - min(_ON_THE_WAY, nanoseconds // 5)
        width = state.cells.shape[1]
        self._process.say(
            Ask(self._id, width, state.cells.tobytes(), state.players.tolist(), self._asked, since, until)
        )

    def hear(self, thought: Thought) -> None:
        """It answers; what it was asked in an earlier round is no longer wanted."""
        self._thinks &= thought.clock != self._asked
        if thought.clock == self._asked and self._answer is None:
            move, wall, cpu, metrics, fault, evidence = msgspec.structs.astuple(thought)[2:]
            self._answer = Answer(move, wall, cpu, metrics, fault, evidence)
            self.changed()

    def lose(self) -> None:
        """Its process has ended."""
        if self._answer is None:
            self._answer = Answer(fault=Fault.FAILED, evidence=_ENDED)
            self.changed()

    @property
    def settled(self) -> bool:
        return self._answer is not None

    def end(self, now: int) -> Answer:
        answer = self._answer or Answer(None, now - self._began, fault=SILENT.fault, evidence=SILENT.evidence)
        self._answer = answer  # what comes later is for nobody
        return answer

    def rise(self) -> None:
        """It is wanted no more."""
        self._process.let_go(self._id, self._thinks)


class Minds:
    """The processes in which agents think: one more for each agent that plays, up to one for each core."""

    def __init__(self, agents: Sequence[str]) -> None:
        self._agents = agents
        self._processes: list[_Process] = []
        self._most = len(usable_cores())
        self._ids = itertools.count()
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the first of them, and compile all that the agents need."""
        if self._agents:
            self._processes.append(await _start(self._agents))

    async def seat(self, agent: str, game: str, seat: int, seed: int) -> Mind:
        """An agent at a seat."""
        async with self._starting:
            usable = self._usable()
            if len(usable) < self._most and all(process.minds for process in usable):
                self._processes.append(await _start(self._agents))
            process = min(self._usable(), key=lambda process: len(process.minds))
            id = next(self._ids)
            mind = process.minds[id] = Mind(process, id, agent)
        process.say(Sit(id, agent, game, seat, seed))
        return mind

    def _usable(self) -> list["_Process"]:
        self._processes = [process for process in self._processes if not process.ended]
        return [process for process in self._processes if not process.haunted]

    def close(self) -> None:
        """End all of them."""
        for process in self._processes:
            process.close()
        self._processes = []


class _Process:
    """One process."""

    def __init__(
        self, popen: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.minds: dict[int, Mind] = {}
        self.ended = False
        self.haunted = False
        """Whether an agent still thinks here that is wanted no more: nobody is seated here again."""
        self._popen = popen
        self._reader = reader
        self._writer = writer
        self._listening: asyncio.Task[None] | None = None

    async def prepared(self) -> None:
        """Wait until it can play; LudusError if it cannot."""
        try:
            thought = await self._read()
        except (asyncio.IncompleteReadError, ConnectionError):
            raise LudusError("The process in which agents think has ended before they were ready.") from None
        assert thought.id == PREPARED
        if thought.fault is not None:
            raise LudusError(thought.evidence)
        self._listening = asyncio.create_task(self._listen())

    def say(self, message: msgspec.Struct) -> None:
        """A message; that it has ended is noticed elsewhere."""
        data = msgspec.msgpack.encode(message)
        self._writer.write(len(data).to_bytes(_HEADER, "big") + data)

    def let_go(self, id: int, thinks: bool) -> None:
        """An agent is wanted no more, even if it still thinks: that may be for ever, and ends with its process."""
        if self.minds.pop(id, None) is None or self.ended:
            return
        self.say(Rise(id))
        self.haunted |= thinks
        if self.haunted and not self.minds:
            self.ended = True
            self._popen.kill()

    def close(self) -> None:
        """End it."""
        if self._listening is not None:
            self._listening.cancel()
        self._writer.transport.abort()
        self._popen.kill()
        self._popen.wait()

    async def _read(self) -> Thought:
        size = int.from_bytes(await self._reader.readexactly(_HEADER), "big")
        return _decoder.decode(await self._reader.readexactly(size))

    async def _listen(self) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError, msgspec.MsgspecError):
                while True:
                    thought = await self._read()
                    if thought.id in self.minds:
                        self.minds[thought.id].hear(thought)
        finally:
            self.ended = True
            self._popen.kill()
            self._popen.wait()
            for mind in list(self.minds.values()):
                mind.lose()


async def _start(agents: Sequence[str]) -> _Process:
    ours, theirs = socket.socketpair()
    with theirs:
        popen = subprocess.Popen(
            # -P: or a file of the user's called random.py would be taken for Python's.
            [sys.executable, "-P", "-m", "ludus.net.agent_process", str(theirs.fileno()), *agents],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
    process = _Process(popen, *await asyncio.open_connection(sock=ours))
    try:
        await process.prepared()
    except BaseException:
        process.close()
        raise
    return process
