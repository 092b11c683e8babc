"""One feed of a run: the episodes of a worker, or a game over a network, as far as they have come."""

import time
from pathlib import Path
from typing import NamedTuple

from ludus.core.errors import LudusError, NotFoundError
from ludus.episode.journal import Head, Journal, Phase
from ludus.episode.outcome import outcome
from ludus.episode.rebuilt import GameCard, Rebuilt
from ludus.episode.record import Key, Record
from ludus.episode.replay import Scene, replay
from ludus.games.game import Game, game_from
from ludus.run.live_run import GAME, JOURNAL, RunCard, read_json
from ludus.run.setup import Stage
from ludus.store import Store

_PATIENCE = 5.0  # seconds until an episode that its worker has finished counts as lost


class Watched(NamedTuple):
    """A journal file and the generation in it: one episode."""

    file: int
    generation: int


class LiveEpisode:
    """An episode as it is watched: its scenes so far, and its end once that has come."""

    def __init__(self, which: Watched, key: Key | None, rebuilt: Rebuilt) -> None:
        self.which = which
        self.key = key
        """Its place in the tournament; None for a game over a network."""
        self.rebuilt = rebuilt
        self.complete = False
        """True if no more scenes will come."""
        self.lost = ""
        """The reason why the rest cannot be shown, if so, as a sentence."""
        self._left_since: float | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.rebuilt.game

    @property
    def card(self) -> GameCard:
        """The facts that are known before its first move."""
        return self.rebuilt.card

    @property
    def scenes(self) -> list[Scene]:
        """The positions so far, each with the step that led to it."""
        return self.rebuilt.scenes

    @property
    def record(self) -> Record | None:
        """The record, once the end has come and if there is one."""
        return self.rebuilt.record

    @property
    def result(self) -> str:
        """The result in a sentence, or the reason why there is none; empty before the end."""
        if not self.complete:
            return ""
        if self.record is not None:
            return outcome(self.record)
        if self.rebuilt.over:
            scores = self.game.scores(self.scenes[-1].state)
            best = [seat.name for seat, score in zip(self.card.seats, scores, strict=True) if score == max(scores)]
            return f"{best[0]} wins." if len(best) == 1 else "A tie."
        return self.lost or "The game was broken off."

    def lose(self, reason: str) -> None:
        """Give up waiting for more."""
        self.complete, self.lost = True, reason

    def take(self, record: Record) -> None:
        """Add the rest from the record."""
        scenes = list(replay(record, self.game))
        known = len(self.scenes)
        same = [[made.move for made in scene.step] for scene in scenes[:known]] == [
            [made.move for made in scene.step] for scene in self.scenes
        ]
        if same:
            self.scenes.extend(scenes[known:])
            self.rebuilt.record = record
            self.complete = True
        else:  # it was played again
            self.lose("The game was broken off, and played again.")

    def waited_too_long(self) -> bool:
        """True if the rest has been asked for in vain for some seconds."""
        now = time.monotonic()
        if self._left_since is None:
            self._left_since = now
        return now - self._left_since > _PATIENCE


class LiveFeed:
    """The episodes of a feed, one after the other: `look` again and again, and `advance` to the newest one.

    The caller sets the pace: an episode that its worker has left meanwhile is completed from the store.
    """

    def __init__(self, store: Store, folder: Path, name: str, card: RunCard) -> None:
        self._store = store
        self._path = folder / f"{name}{JOURNAL}"
        self._run = card
        self._stage: Stage | None = None
        self._journal: Journal | None = None
        self._file = 0
        self.head: Head | None = None
        """The present activity; None before the first look."""
        self.gone = False
        """True if the run has ended, or the game is over."""
        self.episode: LiveEpisode | None = None
        self.look()
        if self._journal is None:
            raise NotFoundError(f"There is no {name} in this run now.")

    @property
    def game(self) -> Game | None:
        """The game, as far as it is known before an episode."""
        return self.episode.game if self.episode else self._stage.game if self._stage else None

    @property
    def has_next(self) -> bool:
        """True if another episode than the watched one has begun."""
        head = self.head
        if head is None or not (head.phase is Phase.PLAYING or head.answers) or not head.generation:
            return False
        return self.episode is None or self.episode.which != Watched(self._file, head.generation)

    def look(self) -> None:
        """Read what is new. LudusError if the game cannot be made, for example because its file is missing."""
        self._open()
        if self._journal is None:
            return
        head = self._journal.head()
        if head is None:  # in the midst of a change
            return
        self.head = head
        episode = self.episode
        if episode is None:
            self.advance()
        elif not episode.complete:
            if episode.which == Watched(self._file, head.generation):
                self._continue(episode, head)
            if not episode.complete and (self.gone or self.has_next):
                self._finish(episode)

    def advance(self) -> bool:
        """Go on to the newest episode; False if there is none but the watched one."""
        head = self.head
        if head is None or not self.has_next:
            return False
        which = Watched(self._file, head.generation)
        if self._run.tournament is None:
            card = read_json(self._path.with_suffix(GAME), GameCard)
            if card is None:
                return False
            self.episode = LiveEpisode(which, None, Rebuilt(card, game_from(card.game)))
        else:
            stage = self._stage = self._stage or Stage(self._store.tournament(self._run.tournament))
            self.episode = LiveEpisode(which, head.key, Rebuilt(stage.card(head.key, head.seats), stage.game))
        self._continue(self.episode, head)
        return True

    def _open(self) -> None:
        """Map the journal, or that of a worker that has taken another's place."""
        try:
            file = self._path.stat().st_ino
        except OSError:
            self.gone = True
            return
        self.gone = False
        if file != self._file and (journal := Journal.read(self._path)) is not None:
            self._journal, self._file = journal, file

    def _continue(self, episode: LiveEpisode, head: Head) -> None:
        assert self._journal is not None
        rebuilt = episode.rebuilt
        noted = self._journal.noted(head, rebuilt.known)
        if not noted:
            return
        try:
            rebuilt.add(noted)
        except LudusError as error:
            episode.lose(str(error))
        episode.complete |= rebuilt.over

    def _finish(self, episode: LiveEpisode) -> None:
        """Complete an episode that its worker has left from the store, once it is there."""
        if self._run.tournament is None or episode.key is None:
            episode.lose("The game was broken off.")
            return
        try:
            episode.take(self._store.record(self._run.tournament, episode.key))
        except NotFoundError:
            if episode.waited_too_long():
                episode.lose("The game was broken off.")
        except LudusError as error:
            episode.lose(str(error))
