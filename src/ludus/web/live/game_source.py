"""One feed as messages: the film of the episode being watched, its moves and clocks, at a pace that eyes can follow."""

import time
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.text import first_line, printable
from ludus.core.text import score as spoken_score
from ludus.episode.journal import Phase
from ludus.episode.replay import Scene
from ludus.kernel.numbers import CHANCE
from ludus.run.live_feed import LiveEpisode, LiveFeed
from ludus.store.entries import episode_name
from ludus.views.boards.colours import readable_on
from ludus.views.boards.painters import painter_for
from ludus.views.episodes.reel import Drawer

PERIOD = 0.05
_SLOWEST = 0.25  # seconds between two positions of a game that is faster than the eye
_FAST = 0.1  # seconds of a move below which a game is faster than the eye
_LONGEST = 20.0  # seconds of an episode at most
_LINGER = 1.5  # seconds for which the end of an episode is shown before the next


class Game:
    """The messages of a feed.

    A game that eyes can follow is shown move by move as it is played. One that is faster is shown from its start to its
    end, although its worker has gone on, and then the newest one.
    """

    period = PERIOD

    def __init__(self, feed: LiveFeed, tournament: int | None, repetitions: int = 1) -> None:
        self._feed = feed
        self._tournament = tournament
        self._repetitions = repetitions
        self._episode: LiveEpisode | None = None
        self._drawer: Drawer | None = None
        self._view: list[float] = []
        self._shown = 0  # positions
        self._round = 1
        self._due = 0.0
        self._timed, self._thought = 0, 0  # steps of players among those shown or known, and their nanoseconds
        self._looked_at = 0  # scenes
        self._ended_at: float | None = None
        self._last: dict[str, Any] = {}

    def look(self, now: float) -> list[dict[str, Any]]:
        """The messages since the last look."""
        feed = self._feed
        try:
            feed.look()
            if self._ended_at is not None and now - self._ended_at >= _LINGER and feed.has_next:
                feed.advance()
        except LudusError as error:
            return self._changed({"trouble": str(error)})
        episode = feed.episode
        if episode is None:
            return self._wait()
        if episode is not self._episode:
            return [self._begin(episode, now)]
        return self._go_on(episode, now)

    def _wait(self) -> list[dict[str, Any]]:
        head = self._feed.head
        is_compiling = head is not None and head.phase is Phase.COMPILING
        message = {"waiting": "The agents are being compiled." if is_compiling else "The next game has not begun."}
        changed = self._changed(message)
        return [{"full": True, **changed[0]}] if changed else []

    def _begin(self, episode: LiveEpisode, now: float) -> dict[str, Any]:
        """The message that begins an episode: the first from where it is now, each later one from its start."""
        is_first = self._episode is None
        self._episode, self._drawer, self._view = episode, Drawer(episode.game), []
        self._shown, self._round, self._ended_at, self._last = 0, 1, None, {}
        self._looked_at = self._timed = self._thought = 0
        starts_now = is_first and not episode.complete
        number = len(episode.scenes) if starts_now else 1 + len(episode.card.opening.moves)
        message = {"full": True, **self._head(episode), **self._next(episode, number)}
        self._due = now + PERIOD
        return message | self._news(episode)

    def _head(self, episode: LiveEpisode) -> dict[str, Any]:
        card, game, painter = episode.card, episode.game, painter_for(episode.game)
        self._round = game.first_round(episode.scenes[0].state)
        name = None
        if self._tournament is not None and episode.key is not None:
            name = episode_name(self._tournament, episode.key, self._repetitions)
        return {
            "waiting": "",
            "trouble": "",
            "episode": name,
            "number": card.number,
            "game": {"spec": game.spec(), "title": game.title, "word": painter.round_word},
            "players": [
                {
                    "name": seat.name,
                    "agent": seat.agent,
                    "colour": (colour := painter.colours[number % len(painter.colours)]),
                    "ink": readable_on(colour),
                }
                for number, seat in enumerate(card.seats)
            ],
        }

    def _go_on(self, episode: LiveEpisode, now: float) -> list[dict[str, Any]]:
        message: dict[str, Any] = {}
        left = len(episode.scenes) - self._shown
        if left > 0 and now >= self._due:
            self._due = max(self._due, now - PERIOD)  # after a rest, time to think is not made up for
            pause = min(_SLOWEST, _LONGEST / len(episode.scenes)) if self._is_fast(episode) else PERIOD
            number = min(left, 1 + int((now - self._due) / pause) if pause < PERIOD else 1)
            message = self._next(episode, number)
            self._due = max(self._due + number * pause, now)
        changed = self._changed(self._news(episode))
        return [message | (changed[0] if changed else {})] if message or changed else []

    def _is_fast(self, episode: LiveEpisode) -> bool:
        """True if the moves come faster than eyes can follow."""
        for scene in episode.scenes[self._looked_at :]:
            if scene.step and scene.step[0].seat != CHANCE:
                self._timed += 1
                self._thought += max(made.wall for made in scene.step)
        self._looked_at = len(episode.scenes)
        return self._thought < _FAST * 1e9 * self._timed

    def _news(self, episode: LiveEpisode) -> dict[str, Any]:
        """The clocks while the episode is being played, and its result at the end."""
        is_at_end = self._shown == len(episode.scenes)
        if not (episode.complete and is_at_end):
            shown = {"result": "", "scores": None}
            return shown | {"clock": self._clock(episode)} if is_at_end or self._is_fast(episode) else shown
        if self._ended_at is None:
            self._ended_at = time.monotonic()
        record = episode.record
        scores = [spoken_score(value) for value in record.scores] if record is not None else None
        return {"clock": None, "result": episode.result, "scores": scores}

    def _clock(self, episode: LiveEpisode) -> dict[str, Any] | None:
        """The thinking seat since when (milliseconds since 1970), and the milliseconds granted and left."""
        head = self._feed.head
        is_behind = head is None or head.generation != episode.which.generation or self._shown < len(episode.scenes)
        if head is None or is_behind:
            return None
        total, granted = episode.rebuilt.left
        if granted is None and self._tournament is None:  # drawn anew for each round
            granted = head.granted
        return {
            "seat": head.seat,
            "since": (head.since + time.time_ns() - time.monotonic_ns()) // 10**6,
            "granted": None if granted is None else granted // 10**6,
            "left": None if total is None else [each // 10**6 for each in total],
        }

    def _next(self, episode: LiveEpisode, number: int) -> dict[str, Any]:
        """The next positions, with the moves that led to them."""
        assert self._drawer is not None
        scenes, first = episode.scenes, self._shown
        self._shown += number
        places = range(first, self._shown)
        piece = self._drawer.draw((scenes[place].state, scenes[place - 1].state if place else None) for place in places)
        view = piece.pop("view")
        self._view = _joined(self._view, view)
        moves = [move for place in places for move in self._moves(place, scenes[place])]
        return {**piece, "view": self._view, "moves": moves, "positions": self._shown}

    def _moves(self, place: int, scene: Scene) -> list[dict[str, Any]]:
        found = []
        for made in scene.step:
            move: dict[str, Any] = {"place": place, "seat": made.seat, "text": printable(made.move)}
            if made.seat != CHANCE:
                move["round"] = self._round
            if made.wall:
                move["time"] = made.wall
            if made.fault is not None:
                move |= {"fault": made.fault.words, "evidence": printable(first_line(made.evidence))}
            found.append(move)
        self._round += bool(scene.step) and scene.step[0].seat != CHANCE
        return found

    def _changed(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """The fields that are not as in the last message."""
        new = {field: value for field, value in message.items() if self._last.get(field, self) != value}
        self._last |= new
        return [new] if new else []


def _joined(one: list[float], other: list[float]) -> list[float]:
    """The smallest view that holds both."""
    if not one:
        return other
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return [left, top, round(right - left, 1), round(bottom - top, 1)]
