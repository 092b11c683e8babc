"""Everything being played into a store by processes of this machine: runs, their progress, and their feeds."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ludus.core.errors import LudusError, NotFoundError
from ludus.episode.journal import Head, Journal, Phase
from ludus.episode.rebuilt import GameCard
from ludus.run.live_feed import LiveFeed
from ludus.run.live_run import GAME, JOURNAL, PROGRESS, ProgressCard, RunCard, read_card, read_json
from ludus.store import Store
from ludus.tournaments.tournament import Tournament

_RUN = re.compile(r"[0-9a-f]{8}")
_FEED = re.compile(r"(?:worker|game)-(\d{1,9})")
_ALIVE_FOR = 1.0  # seconds for which a process that lived is not asked again


class FeedNow(NamedTuple):
    """A feed of a run: its name, the players of its episode, and the number of answers so far."""

    name: str
    number: int
    players: list[str]
    phase: Phase
    answers: int


class RunNow(NamedTuple):
    """A run with its progress; a run that is not `alive` was killed. `left` are seconds, None if nobody can know."""

    id: str
    card: RunCard
    alive: bool
    progress: ProgressCard
    elapsed: float
    feeds: list[FeedNow]

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at the present rate."""
        done, total, rate = self.progress.done, self.progress.total, self.progress.rate
        return None if total is None or not rate else (total - done) / rate


class LiveReader:
    """The runs of a store, as their folders show them now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cards: dict[str, RunCard] = {}
        self._alive: dict[str, tuple[float, bool]] = {}
        self._journals: dict[Path, tuple[int, Journal]] = {}
        self._game_cards: dict[Path, tuple[int, GameCard]] = {}
        self._tournaments: dict[str, Tournament] = {}

    def runs(self, *, feeds: bool = True) -> list[RunNow]:
        """All runs, the earliest first; without their feeds, which take longer, if nobody wants them."""
        try:
            ids = [folder.name for folder in self._store.live.iterdir() if _RUN.fullmatch(folder.name)]
        except OSError:
            ids = []
        self._forget(ids)
        found = [run for id in ids if (run := self._run(id, feeds)) is not None]
        return sorted(found, key=lambda run: (run.card.begun, run.id))

    def run(self, id: str, *, feeds: bool = True) -> RunNow:
        """One run; NotFoundError if it has ended."""
        found = self._run(id, feeds) if _RUN.fullmatch(id) else None
        if found is None:
            raise NotFoundError(f"There is no run {id} now: it has ended.")
        return found

    def feed(self, run: str, name: str) -> LiveFeed:
        """One feed, to follow its episodes; NotFoundError if there is none."""
        card = self.run(run, feeds=False).card
        if not _FEED.fullmatch(name):
            raise NotFoundError(f"There is no {name} in this run.")
        return LiveFeed(self._store, self._store.live / run, name, card)

    def _run(self, id: str, feeds: bool) -> RunNow | None:
        folder = self._store.live / id
        card = self._cards.get(id) or read_card(folder)
        if card is None or not folder.is_dir():
            return None
        self._cards[id] = card
        return RunNow(
            id,
            card,
            self._is_alive(id, card),
            read_json(folder / PROGRESS, ProgressCard) or ProgressCard(),
            (datetime.now(UTC) - card.begun).total_seconds(),
            self._feeds(id, folder, card) if feeds else [],
        )

    def _is_alive(self, id: str, card: RunCard) -> bool:
        asked, alive = self._alive.get(id, (0.0, False))
        if time.monotonic() - asked > _ALIVE_FOR:
            alive = card.alive
            self._alive[id] = time.monotonic(), alive
        return alive

    def _feeds(self, id: str, folder: Path, card: RunCard) -> list[FeedNow]:
        found = []
        for path in folder.glob(f"*{JOURNAL}"):
            matched = _FEED.fullmatch(path.stem)
            head = self._head(path) if matched else None
            if matched and head is not None:
                players = self._players(id, path, card, head)
                found.append(FeedNow(path.stem, int(matched[1]), players, head.phase, head.answers))
        return sorted(found, key=lambda feed: feed.number)

    def _head(self, path: Path) -> Head | None:
        try:
            file = path.stat().st_ino
        except OSError:
            return None
        known = self._journals.get(path)
        if known is None or known[0] != file:
            journal = Journal.read(path)
            if journal is None:
                return None
            known = self._journals[path] = file, journal
        return known[1].head()

    def _players(self, id: str, path: Path, card: RunCard, head: Head) -> list[str]:
        if card.tournament is None:
            file = self._journals[path][0]
            known = self._game_cards.get(path)
            if known is None or known[0] != file:
                game = read_json(path.with_suffix(GAME), GameCard)
                if game is None:
                    return []
                known = self._game_cards[path] = file, game
            return [seat.name for seat in known[1].seats]
        try:
            tournament = self._tournaments.setdefault(id, self._store.tournament(card.tournament))
            return [tournament.agents[agent].name for agent in head.seats]
        except (LudusError, IndexError):  # deleted meanwhile
            return []

    def _forget(self, ids: list[str]) -> None:
        """Forget the runs that have ended."""
        for kept in (self._cards, self._alive, self._tournaments):
            for id in [*kept]:
                if id not in ids:
                    del kept[id]
        for path in [*self._journals]:
            if not path.exists():
                self._journals.pop(path)
                self._game_cards.pop(path, None)
