"""Talk with other programs: bots, servers and clients, and files of games that were played elsewhere."""

import json
from collections.abc import Generator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ludus import Choice
from ludus.bots.bot import Bot
from ludus.bots.dialogue import Dialogue
from ludus.episode.importer import Importer
from ludus.episode.player import Briefing
from ludus.episode.record import Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer, Request
from ludus.kernel.rules import State
from ludus.net.contest import Contest, NoAnswer
from ludus.net.sighting import Message
from race.game import TOTAL, Race


class Totals(Bot):
    """A program that reads the total, a line each time, and writes what it adds."""

    name = "totals"

    def dialogue(self) -> Dialogue:
        return TotalsDialogue()


class TotalsDialogue(Dialogue):
    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        yield from ()

    def ask(self, request: Request) -> bytes:
        return b"%d\n" % request.view.state.race[TOTAL]

    def receive(self, line: str) -> Choice | None:
        return Choice(int(line)) if line.strip().isdecimal() else None


class RaceText(dict[str, Any]):
    def for_player(self, you: int) -> bytes:
        return json.dumps(self | {"you": you}).encode()

    def for_all(self) -> bytes:
        return json.dumps(self).encode()


class RaceContest(Contest):
    """A server sends the position as JSON, a client answers with a number."""

    name = "race"

    def ask(self, requests: Sequence[Request], deadline: datetime) -> RaceText:
        return RaceText(position=Race().save(requests[0].view.state))

    def close(self, state: State, names: Sequence[str]) -> RaceText:
        return RaceText(position=Race().save(state), names=names)

    def read_answer(self, data: bytes) -> int:
        if not data.isdigit():
            raise NoAnswer("no number", is_last=False)
        return int(data)

    def read_message(self, data: str | bytes) -> Message:
        told = json.loads(data)
        return Message(Race().load(told["position"]), told["you"], "names" not in told, None, told.get("names"))

    def write_answer(self, move: int) -> str:
        return str(move)


class RaceLogs(Importer):
    name = "race"
    files = "log of a race"
    form = "the moves to the goal after the word race"

    def read(self, file: Path, data: bytes) -> tuple[Record, int] | None:
        if not data.startswith(b"race "):
            return None
        referee = Referee(Race(), [Seat("remote:first", "first"), Seat("remote:second", "second")])
        referee.begin()
        for move in data.split()[1:]:
            referee.answer(referee.requests()[0].seat, Answer(int(move)))
        return referee.record, 0
