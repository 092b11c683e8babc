"""Agents of Ludus that play on a server: each thinks in one of several processes."""

import asyncio
import itertools
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from ludus.core.errors import LudusError, from_words
from ludus.episode.cores import usable_cores
from ludus.episode.cost import Cost
from ludus.episode.record import Fault
from ludus.episode.request import Answer, Request
from ludus.episode.verdict import SILENT
from ludus.net.agent_process import PREPARED, AgentAnswer, Ask, Join, Leave
from ludus.net.clients import nothing

_ON_THE_WAY = 10_000_000  # nanoseconds of a deadline reserved for the way back, at most a fifth
_HEADER = 4  # bytes before each message in the format of multiprocessing
_ENDED = "its process has ended"

_decoder = msgspec.msgpack.Decoder(AgentAnswer)


class PooledAgent:
    """One agent at one seat of one game."""

    def __init__(self, process: "_Process", id: int, spec: str) -> None:
        self.spec = self.name = spec
        self.changed: Callable[[], None] = nothing
        self._process = process
        self._id = id
        self._began = 0
        self._asked = 0
        self._answer: Answer | None = None
        self._is_thinking = False

    def send(self, message: bytes) -> None:
        """Ignore a message, because an agent sees the state."""

    def ask(self, request: Request, now: int, nanoseconds: int) -> None:
        """Begin a round, in which the agent has this time."""
        self._began, self._answer = now, None
        self._asked += 1
        if self._process.ended:
            self._answer = Answer(fault=Fault.FAILED, evidence=_ENDED)
            return
        self._is_thinking = True
        until = time.monotonic_ns() + nanoseconds - min(_ON_THE_WAY, nanoseconds // 5)
        view = request.view
        self._process.send(Ask(self._id, pickle.dumps(view.state), self._asked, view.since, until))

    def receive(self, given: AgentAnswer) -> None:
        """Accept its answer, unless it belongs to an earlier round."""
        self._is_thinking &= given.number != self._asked
        if given.number == self._asked and self._answer is None:
            self._answer = Answer(*msgspec.structs.astuple(given)[2:])
            self.changed()

    def lose(self) -> None:
        """Note that its process has ended."""
        if self._answer is None:
            self._answer = Answer(fault=Fault.FAILED, evidence=_ENDED)
            self.changed()

    @property
    def settled(self) -> bool:
        return self._answer is not None

    def end(self, now: int) -> Answer:
        answer = self._answer or Answer(None, None, *SILENT, Cost(wall=now - self._began))
        self._answer = answer  # later answers are ignored
        return answer

    def release(self) -> None:
        """Release the agent."""
        self._process.release(self._id, self._is_thinking)


class AgentPool:
    """The processes in which agents think: one more for each playing agent, up to one per core."""

    def __init__(self, game: str, agents: Sequence[str]) -> None:
        """Create the pool for games like this one, and these agents."""
        self._game = game
        self._agents = agents
        self._processes: list[_Process] = []
        self._most = len(usable_cores())
        self._ids = itertools.count()
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the first process, and compile everything that the agents need."""
        if self._agents:
            self._processes.append(await _start(self._game, self._agents))

    async def seat(self, agent: str, game: str, seat: int, seed: int) -> PooledAgent:
        """Seat an agent."""
        async with self._starting:
            usable = self._usable()
            if len(usable) < self._most and all(process.agents for process in usable):
                self._processes.append(await _start(self._game, self._agents))
            process = min(self._usable(), key=lambda process: len(process.agents))
            id = next(self._ids)
            seated = process.agents[id] = PooledAgent(process, id, agent)
        process.send(Join(id, agent, game, seat, seed))
        return seated

    def _usable(self) -> list["_Process"]:
        self._processes = [process for process in self._processes if not process.ended]
        return [process for process in self._processes if not process.blocked]

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.close()
        self._processes = []


class _Process:
    """One process."""

    def __init__(
        self, popen: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.agents: dict[int, PooledAgent] = {}
        self.ended = False
        self.blocked = False
        """True if a released agent still thinks here, so that no other is seated here."""
        self._popen = popen
        self._reader = reader
        self._writer = writer
        self._listening: asyncio.Task[None] | None = None

    async def prepared(self) -> None:
        """Wait until it can play; LudusError if it cannot."""
        try:
            given = await self._read()
        except (asyncio.IncompleteReadError, ConnectionError):
            raise LudusError("The process of the agents ended before they were ready.") from None
        assert given.id == PREPARED
        if given.fault is not None:
            raise from_words(given.move)
        self._listening = asyncio.create_task(self._listen())

    def send(self, message: msgspec.Struct) -> None:
        """Send a message; a dead process is noticed elsewhere."""
        data = msgspec.msgpack.encode(message)
        self._writer.write(len(data).to_bytes(_HEADER, "big") + data)

    def release(self, id: int, thinks: bool) -> None:
        """Release an agent, even if it still thinks: that may last for ever, and ends with its process."""
        if self.agents.pop(id, None) is None or self.ended:
            return
        self.send(Leave(id))
        self.blocked |= thinks
        if self.blocked and not self.agents:
            self.ended = True
            self._popen.kill()

    def close(self) -> None:
        """End the process."""
        if self._listening is not None:
            self._listening.cancel()
        self._writer.transport.abort()
        self._popen.kill()
        self._popen.wait()

    async def _read(self) -> AgentAnswer:
        size = int.from_bytes(await self._reader.readexactly(_HEADER), "big")
        return _decoder.decode(await self._reader.readexactly(size))

    async def _listen(self) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError, msgspec.MsgspecError):
                while True:
                    given = await self._read()
                    if given.id in self.agents:
                        self.agents[given.id].receive(given)
        finally:
            self.ended = True
            self._popen.kill()
            self._popen.wait()
            for agent in list(self.agents.values()):
                agent.lose()


async def _start(game: str, agents: Sequence[str]) -> _Process:
    ours, theirs = socket.socketpair()
    with theirs:
        popen = subprocess.Popen(
            # -P, because a user's file called random.py would replace Python's.
            [sys.executable, "-P", "-m", "ludus.net.agent_process", str(theirs.fileno()), game, *agents],
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
