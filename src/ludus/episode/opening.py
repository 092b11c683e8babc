"""Openings: the start of a game, a position, random moves from there."""

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import read_text
from ludus.core.seeds import seed_from
from ludus.episode.record import FROM_THE_START, Opening
from ludus.games.game import Game, game_from
from ludus.games.notation import NotationError, Transcript, moves_of, start_of
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, State, duplicate, key, movers, over, play, sample

_ATTEMPTS = 1000
"""Number of attempts to draw an opening before giving up."""
_MOST_KEPT = 10_000


class Setting(NamedTuple):
    """Facts shared by all episodes of a game."""

    spec: str
    start: State | None  # None if the start is random


_settings: WeakKeyDictionary[Game, Setting] = WeakKeyDictionary()


def setting(game: Game) -> Setting:
    """The facts shared by all episodes of this game, computed once."""
    found = _settings.get(game)
    if found is None:
        rng = new_rng(0)
        before = rng[0]
        start = game.start(rng)
        found = _settings[game] = Setting(game.spec(), start if rng[0] == before else None)
    return found


def begins_as_usual(game: Game, opening: Opening) -> bool:
    """True if an opening leads to the one position with which all episodes of the game begin."""
    return opening.position is None and not opening.moves and setting(game).start is not None


def start_state(game: Game, opening: Opening = FROM_THE_START) -> State:
    """A new state as it is before the moves of an opening."""
    if opening.position is None:
        start = setting(game).start
        return game.start(new_rng(opening.seed)) if start is None else duplicate(start)
    state = game.load(opening.position)
    if over(state):
        raise InvalidError(f"The position {opening.position} is the end of a game: choose another one.")
    return state


def random_opening(game: Game, plies: int, seed: int, at: Opening = FROM_THE_START) -> Opening:
    """Random moves of all players for that many plies, drawn again if they end the game; from the position of `at`."""
    rng = new_rng(seed, "opening")
    for _ in range(_ATTEMPTS):
        state = start_state(game, Opening(at.position, seed))
        steps = _random_steps(game, state, plies, rng)
        if steps is not None:
            return Opening(at.position, seed, steps, at.file)
    raise _always_ends(game, plies)


class Openings:
    """Openings by the number of the episode: the same for every match, and in every process.

    Random ones lead to different positions as long as there are more, and are then used in turn. From number 10,000 on
    they are drawn independently of each other, so that no more are kept in memory.
    """

    def __init__(self, game: Game, plies: int = 0, seed: int = 0, listed: Sequence[Opening] = ()) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._random_start = setting(game).start is None
        self._listed = tuple(listed)
        if not self._listed and plies == 0 and not self._random_start:
            self._listed = (FROM_THE_START,)
        self._found: list[Opening] = []
        self._positions: set[int] = set()
        self._used_up = False

    def opening(self, number: int) -> Opening:
        """The opening of the episode with this number."""
        if self._listed:
            return self._listed[number % len(self._listed)]
        self._find(min(number + 1, _MOST_KEPT))
        if self._used_up:
            return self._found[number % len(self._found)]
        if number < _MOST_KEPT:
            return self._found[number]
        drawn = self._draw(number, set())
        assert drawn is not None
        return drawn[0]

    def different(self, count: int) -> int:
        """Number of different openings among the first `count`; those from 10,000 on count as different."""
        if self._listed:
            return len({msgspec.json.encode(opening) for opening in self._listed[:count]})
        self._find(min(count, _MOST_KEPT))
        return min(count, len(self._found)) if self._used_up else count

    def _find(self, count: int) -> None:
        """Prepare this many openings, or as many as exist."""
        while len(self._found) < count and not self._used_up:
            drawn = self._draw(len(self._found), self._positions)
            if drawn is None:
                self._used_up = True
                return
            opening, position = drawn
            self._found.append(opening)
            self._positions.add(position)

    def _draw(self, number: int, seen: Container[int]) -> tuple[Opening, int] | None:
        """An opening and the key of its position; None if chance gives only known ones."""
        rng = new_rng(self._seed, "opening", number)
        repeated = False
        for attempt in range(_ATTEMPTS):
            seed = seed_from(self._seed, "start", number, attempt) if self._random_start else 0
            state = start_state(self._game, Opening(seed=seed))
            steps = _random_steps(self._game, state, self._plies, rng)
            if steps is None:
                continue
            position = int(key(state))
            if position not in seen:
                return Opening(seed=seed, moves=steps), position
            repeated = True
        if repeated:
            return None
        raise _always_ends(self._game, self._plies)


def _random_steps(game: Game, state: State, plies: int, rng: Rng) -> list[list[str]] | None:
    """Play random moves for that many plies; None if they end the game."""
    who, chosen = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    steps: list[list[str]] = []
    played = 0
    while played < plies and not over(state):
        n = movers(state, who)
        for i in range(n):
            chosen[i] = sample(state, who[i], rng)
        steps.append([game.format(state, int(who[i]), int(chosen[i])) for i in range(n)])
        played += who[0] != CHANCE
        play(state, chosen)
    return None if over(state) else steps


def _always_ends(game: Game, plies: int) -> LudusError:
    return InvalidError(f"{plies} random plies always end {game.name}: use fewer.")


def opening_at(text: str, game: Game, agents: Sequence[Agent], folder: Path = Path()) -> Opening:
    """The opening that is one position, from its text or from a file in `folder` or in the folder of a bot.

    Files of one name may differ: each bot reads its own, in its own format, and Ludus the first that it can read.
    """
    name, own = text, _own_files(text, agents)
    if not own:
        name = os.path.basename(text)
        own = _own_files(name, agents)
    files = [file for file in (folder / text, *own) if os.path.isfile(file)]
    if not files:
        try:
            return Opening(game.save(start_state(game, Opening(text))))
        except LudusError as error:
            raise InvalidError(f"'{text}' is not a file, and not a position of {game.spec()}: {error}") from None
    faults = []
    for file in files:
        try:
            return Opening(read_position(file, game), file=name if own else "")
        except LudusError as error:
            faults.append(error)
    raise faults[0]


def _own_files(name: str, agents: Iterable[Agent]) -> list[Path]:
    if not name or os.path.isabs(name):
        return []
    return list(filter(None, (agent.own_file(name) for agent in agents)))


def read_position(path: str | Path, game: Game) -> str:
    """Read the start position of a text file, as the game saves it.

    The position may be on one line, or have each part that `/` separates on its own line; the mover may have one too.
    """
    text = joined(read_text(path, f"The position {path}"))
    try:
        return game.save(start_state(game, Opening(text)))
    except LudusError as error:
        raise InvalidError(f"{path} does not hold a position of {game.spec()}: {error}") from None


def joined(text: str) -> str:
    """Join a position that may be spread over several lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return re.sub(r"/([a-z](?: .*)?)$", r" \1", "/".join(lines), flags=re.IGNORECASE) if lines[1:] else "".join(lines)


def read_openings(path: str | Path, game: Game, plies: int = 0) -> tuple[Opening, ...]:
    """Read the openings of a file, and check each by playing it; with `plies`, only the first ones of each.

    Files of games, such as PGN and SGF, have one in each game. In a text file each line holds moves separated by
    spaces, or `position TEXT`, or `position TEXT moves MOVE …`. Simultaneous moves are joined by `+`; chance has moves
    too. Text after `#` is a comment.
    """
    text = read_text(path, f"The openings {path}")
    notation, ending = game.notation(), Path(path).suffix.lower()
    if notation is not None and ending in notation.endings:
        read = _from_games(notation.read(text, ending), game, plies, str(path))
        form = f"none of its games is one of {game.name}"
    else:
        read = _from_lines(text, game, plies, str(path))
        form = "write one per line, as moves separated by spaces"
    found = tuple(read)
    if plies:  # parts of different openings may be equal
        found = tuple({msgspec.json.encode(opening): opening for opening in found}.values())
    if not found:
        raise InvalidError(f"{path} has no openings: {form}.")
    return found


def _from_lines(text: str, game: Game, plies: int, path: str) -> Iterator[Opening]:
    for number, line in enumerate(text.splitlines(), 1):
        content = re.split(r"(?:^|\s)#", line)[0].strip()
        if content:
            try:
                yield _opening_from(content, game, plies)
            except LudusError as error:
                raise _no_opening(number, path, game, error) from None


def _from_games(found: Iterator[Transcript | NotationError], game: Game, plies: int, path: str) -> Iterator[Opening]:
    for transcript in found:
        if isinstance(transcript, NotationError):
            raise _no_opening(transcript.line, path, game, transcript.why)
        try:
            yield _opening_of(transcript, game, plies)
        except LudusError as error:
            raise _no_opening(transcript.line, path, game, error) from None


def _opening_of(transcript: Transcript, game: Game, plies: int) -> Opening:
    there = game_from(transcript.game)
    if there.draw(start_state(there)) != game.draw(start_state(game)):  # boards of two sizes look different
        raise InvalidError(f"it is a game of {there.spec()}.")
    state = start_of(transcript, game)
    position = None if transcript.position is None else game.save(state)
    moves: list[list[str]] = []
    for move in moves_of(transcript, game, state):
        if plies and len(moves) == plies:
            break
        moves.append([move.text])
    if over(state):
        raise InvalidError("the game is over there: --opening-plies N takes its first N plies.")
    return Opening(position, moves=moves)


def _no_opening(line: int, path: str, game: Game, why: object) -> LudusError:
    return InvalidError(f"Line {line} of {path} is not an opening of {game.spec()}: {why}")


def _opening_from(text: str, game: Game, plies: int) -> Opening:
    position, moves = None, text
    if match := re.fullmatch(r"position\s+(.+?)(?:\s+moves\s+(.+))?", text):
        position, moves = match[1], match[2] or ""
    state = start_state(game, Opening(position))
    steps: list[list[str]] = []
    played = 0
    for word in moves.split():
        if plies and played == plies:
            break
        who = game.movers(state)
        texts = word.split("+") if len(who) > 1 else [word]
        if len(texts) != len(who):
            raise InvalidError(f"'{word}' has {len(texts)} of {len(who)} simultaneous moves: join them by +.")
        numbers = [game.parse(state, player, move) for player, move in zip(who, texts, strict=True)]
        steps.append([game.format(state, player, move) for player, move in zip(who, numbers, strict=True)])
        played += who[0] != CHANCE
        play(state, np.array(numbers, np.int64))
        if over(state):
            raise InvalidError(f"'{word}' ends the game: leave it out.")
    return Opening(position, moves=steps)


def opening_line(opening: Opening) -> str:
    """The line of a file for an opening."""
    moves: Sequence[str] = ["+".join(step) for step in opening.moves]
    if opening.position is None:
        return " ".join(moves)
    return " ".join(["position", opening.position, *(["moves", *moves] if moves else [])])
