"""The hub: looks at what somebody watches, once for all viewers, and hands its messages to them."""

import asyncio
import time
from contextlib import suppress
from typing import Any

from ludus.core.errors import BusyError, InvalidError, LudusError, NotFoundError
from ludus.run.live_reader import LiveReader, RunNow
from ludus.store import Store
from ludus.web.live.game_source import Game
from ludus.web.live.run_sources import Runs, TournamentProgress
from ludus.web.live.topic import Sent, Source, Topic

MOST_TOPICS = 32
"""Topics of one viewer."""
MOST_VIEWERS = 512
_MOST_WATCHED = 256  # topics of all viewers
_TICK = 0.05
_KEPT = 300.0  # seconds for which a topic that nobody watches is kept, so that a viewer can come back
_MOST_UNWATCHED = 64


class Watch:
    """One topic of one viewer: the number of the last message that was sent."""

    def __init__(self, topic: Topic, after: int | None) -> None:
        self.topic = topic
        self.after = after


class Viewer:
    """One connection: its topics, and what is waiting for it. Nothing is buffered: a slow viewer skips messages."""

    def __init__(self) -> None:
        self.watches: dict[str, Watch] = {}
        self.wake = asyncio.Event()

    def next(self) -> Sent | None:
        """The next message to send, of the topic that has waited longest; None if there is none."""
        for name, watch in list(self.watches.items()):
            if waiting := watch.topic.since(watch.after):
                self.watches[name] = self.watches.pop(name)  # the others come first next time
                watch.after = waiting[0].seq
                return waiting[0]
        return None


class Hub:
    """All topics and viewers of a site. It costs nothing while nobody watches."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reader = LiveReader(store)
        self._topics: dict[str, Topic] = {}
        self._viewers: set[Viewer] = set()
        self._looking: asyncio.Task[None] | None = None
        self._opening: set[asyncio.Task[None]] = set()

    # --- What is there now ------------------------------------------------------------------------------------------

    def runs(self, *, feeds: bool = True) -> list[RunNow]:
        """All runs; without their feeds, which take longer, if nobody wants them."""
        return self._reader.runs(feeds=feeds)

    def playing(self, tournament: int) -> RunNow | None:
        """The run that plays a tournament now, if there is one."""
        found = [run for run in self.runs(feeds=False) if run.alive and run.card.tournament == tournament]
        return found[-1] if found else None

    def run(self, id: str) -> RunNow:
        """One run; NotFoundError if it has ended."""
        return self._reader.run(id)

    def snapshot(self, run: str, feed: str) -> dict[str, Any]:
        """A game as it is now, in the form of a full message."""
        messages = self._source(f"game/{run}/{feed}").look(time.monotonic())
        return messages[0] if messages else {}

    @property
    def idle(self) -> bool:
        """True if nothing is looked at, because nobody watches."""
        return self._looking is None or self._looking.done()

    # --- Viewers --------------------------------------------------------------------------------------------------

    def join(self) -> Viewer:
        """A new viewer; BusyError if there are too many."""
        if len(self._viewers) >= MOST_VIEWERS:
            raise BusyError(f"This site has {MOST_VIEWERS} viewers already: try again later.")
        viewer = Viewer()
        self._viewers.add(viewer)
        return viewer

    def part(self, viewer: Viewer) -> None:
        """Forget a viewer that has gone."""
        self._viewers.discard(viewer)
        for name in list(viewer.watches):
            self.leave(viewer, name)

    def watch(self, viewer: Viewer, name: str, after: int | None) -> None:
        """Send a topic to a viewer, from a message on that it already has, if any."""
        if name not in viewer.watches and len(viewer.watches) >= MOST_TOPICS:
            raise InvalidError(f"One page can watch {MOST_TOPICS} topics at most.")
        topic = self._topics.get(name)
        if topic is None:
            _check_name(name)
            if sum(topic.left_at is None for topic in self._topics.values()) >= _MOST_WATCHED:
                raise BusyError(f"This site already follows {_MOST_WATCHED} games: try again later.")
            topic = self._topics[name] = Topic(name)
        topic.left_at = None
        viewer.watches[name] = Watch(topic, after)
        viewer.wake.set()
        if topic.source is None and not topic.opening:
            self._open_soon(topic)
        if self.idle:
            self._looking = asyncio.create_task(self._look())

    def leave(self, viewer: Viewer, name: str) -> None:
        """Send a topic no more."""
        watch = viewer.watches.pop(name, None)
        if watch is not None and not any(watch.topic.name in other.watches for other in self._viewers):
            watch.topic.left_at = time.monotonic()
            self._forget()

    def _forget(self) -> None:
        """Forget topics that nobody has watched for long, or that are too many."""
        now = time.monotonic()
        left = sorted((topic.left_at, name) for name, topic in self._topics.items() if topic.left_at is not None)
        for place, (since, name) in enumerate(left):
            if now - since > _KEPT or place < len(left) - _MOST_UNWATCHED:
                del self._topics[name]

    # --- Topics ---------------------------------------------------------------------------------------------------

    def _open_soon(self, topic: Topic) -> None:
        topic.opening = True
        task = asyncio.create_task(self._open(topic))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, topic: Topic) -> None:
        """Make the source of a topic, apart from all others: a game may have to be compiled first."""
        try:
            source, messages = await asyncio.to_thread(self._opened, topic.name)
        except LudusError as error:
            self._publish(topic, [{"full": True, "trouble": str(error)}])
        except Exception as error:  # whatever a user's game does
            self._publish(topic, [{"full": True, "trouble": f"This cannot be shown: {error!r}."}])
        else:
            topic.source = source
            self._publish(topic, messages)
        finally:
            topic.opening = False

    def _opened(self, name: str) -> tuple[Source, list[dict[str, Any]]]:
        source = self._source(name)
        return source, source.look(time.monotonic())

    def _source(self, name: str) -> Source:
        kind, *rest = name.split("/")
        if kind == "runs":
            return Runs(self._reader)
        if kind == "tournament":
            return TournamentProgress(self._reader, self._store, int(rest[0]))
        run, feed = rest
        card = self._reader.run(run, feeds=False).card
        repetitions = 1 if card.tournament is None else self._store.tournament(card.tournament).repetitions
        return Game(self._reader.feed(run, feed), card.tournament, repetitions)

    async def _look(self) -> None:
        """Look at everything that is watched, again and again, as long as anything is."""
        while watched := [topic for topic in self._topics.values() if topic.left_at is None]:
            began = time.monotonic()
            due = [(topic, topic.source) for topic in watched if topic.source is not None and topic.due <= began]
            for topic, source in due:
                topic.due = began + source.period - _TICK / 2
            if due:
                for topic, messages in await asyncio.to_thread(_looked, due):
                    self._publish(topic, messages)
            await asyncio.sleep(max(_TICK / 5, _TICK - (time.monotonic() - began)))

    def _publish(self, topic: Topic, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            topic.publish(message)
        if messages:
            for viewer in self._viewers:
                if topic.name in viewer.watches:
                    viewer.wake.set()


def _looked(due: list[tuple[Topic, Source]]) -> list[tuple[Topic, list[dict[str, Any]]]]:
    found = []
    for topic, source in due:
        try:
            messages = source.look(time.monotonic())
        except Exception as error:  # one broken game must not stop the others
            sentence = str(error) if isinstance(error, LudusError) else f"This cannot be shown: {error!r}."
            topic.source = None
            messages = [{"trouble": sentence}]
        if messages:
            found.append((topic, messages))
    return found


def _check_name(name: str) -> None:
    """Refuse what cannot be a topic."""
    parts = name.split("/")
    with suppress(ValueError):
        if parts == ["runs"] or (parts[0] == "game" and len(parts) == 3 and all(parts)):
            return
        if parts[0] == "tournament" and len(parts) == 2 and 0 < int(parts[1]) < 2**63 and parts[1].isdecimal():
            return
    raise NotFoundError("There is no such topic: watch 'runs', 'tournament/ID' or 'game/RUN/FEED'.")
