"""One episode, position by position."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from ludus.api.arguments import GameLike, game_of
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import check_target, replaced, write_file
from ludus.core.text import plural
from ludus.episode.outcome import winners
from ludus.episode.record import Move, Record
from ludus.games.game import Game, game_from
from ludus.kernel.rules import CHANCE, State
from ludus.views.boards import timeline

if TYPE_CHECKING:
    import polars as pl

    from ludus.views.boards.painter import Layer
    from ludus.views.boards.picture import Frames
    from ludus.views.page.fragment import Picture

LayerName = Literal["heat", "path", "probability"]

_PICTURES = (".svg", ".png")
_SHARP = 2  # pixels of a unit of a picture, on the screens of today
_WIDE = 736  # pixels of a picture in a notebook
_FEW = 12  # moves that are shown unfolded


def replay(
    which: str | PathLike[str] | Record,
    *,
    number: int | None = None,
    game: GameLike | None = None,
    store: str | PathLike[str] | None = None,
    trust: bool = False,
) -> "Episode":
    """Replay an episode from its record, which is checked against the rules.

    Args:
        which: A stored episode such as `"3/12.4"`: tournament 3, match 12, episode 4; or a file of records, as
            `ludus play --json` and `Episodes.save` write them; or a record.
        number: The number of the record in a file of several, from 1; by default the first.
        game: The game, if the record's spec does not lead to it: an instance of a class that only this process knows.
        store: The store, as a file or a URL; without it, that of the user.
        trust: Whether a Python file that a record names may be loaded, which runs it: do so if you trust its author.

    Returns:
        The episode: a sequence of positions.

    Raises:
        LudusError: There is no such episode, or its record does not follow the rules.

    Example:
        >>> games = ludus.play("tic-tac-toe", ["random", "random"], episodes=2)
        >>> games.save("games.jsonl")
        >>> print(ludus.replay("games.jsonl", number=2)[0])
          a b c
        1 . . .
        2 . . .
        3 . . .
    """
    source = ""
    if not isinstance(which, Record):
        from ludus.store.records import find_record, source_of

        url = None if store is None else fspath(store)
        source = source_of(fspath(which), url)
        which = find_record(fspath(which), number, url, trust=trust)
    return Episode(which, game_from(which.game, base=Path()) if game is None else game_of(game), source)


class Episode(Sequence["Position"]):
    """An episode as the sequence of its positions: `episode[0]` is the start, `episode[-1]` the end.

    A notebook shows the last position and the moves.
    """

    def __init__(self, record: Record, game: Game, source: str = "") -> None:
        self.record = record
        """Everything about the episode."""
        self.game = game
        """The game."""
        self._timeline = timeline.Timeline(record, game, source=source)

    @property
    def agents(self) -> list[str]:
        """The names of the players, seat by seat."""
        return [seat.name for seat in self.record.seats]

    @property
    def scores(self) -> list[float]:
        """The scores, seat by seat."""
        return self.record.scores

    @property
    def winners(self) -> list[str]:
        """The names of the winners; none in a tie."""
        return winners(self.record)

    @property
    def outcome(self) -> str:
        """One sentence on how the episode ended."""
        return self._timeline.result

    @cached_property
    def moves(self) -> "pl.DataFrame":
        """Every move: step (from 1), seat (from 1; none for chance), agent, move, time (nanoseconds), and note.

        The note is a fault, or "opening" for a move of the opening, which has no time.
        """
        import polars as pl

        steps = [position.moves for position in self][1:]
        opening = len(self.record.opening.moves)
        steps += self.record.steps[len(steps) - opening :]  # a last one that put its player out
        rows = [
            (
                number,
                None if move.seat == CHANCE else move.seat + 1,
                None if move.seat == CHANCE else self.agents[move.seat],
                move.move or None,
                move.wall or None,
                "opening" if number <= opening else move.fault.words if move.fault else None,
            )
            for number, step in enumerate(steps, 1)
            for move in step
        ]
        types = {
            "step": pl.Int64,
            "seat": pl.Int64,
            "agent": pl.String,
            "move": pl.String,
            "time": pl.Int64,
            "note": pl.String,
        }
        return pl.DataFrame(rows, types, orient="row")

    def save(
        self,
        file: str | PathLike[str],
        *,
        speed: float | None = None,
        layer: LayerName | None = None,
        seat: int | None = None,
    ) -> None:
        """Write the episode as a video, or its last position as a picture.

        Args:
            file: MP4, WebM, GIF, SVG or PNG by its ending.
            speed: Moves a second of a video; without it, so many that the episode takes about 20 seconds.
            layer: What an agent saw, drawn on the boards of a video, where the record has it.
            seat: Whose layer, from 1; without it, that of the first player that has one.
        """
        from ludus.views.video import FORMATS, usual_speed, write_video

        target = Path(file)
        check_target(target, [*FORMATS, *_PICTURES])
        if target.suffix.lower() in _PICTURES:
            self[-1].save(target, layer=layer, seat=seat)
            return
        if speed is not None and not speed > 0:
            raise InvalidError(f"speed = {speed:g} is not a number of moves a second above 0.")
        pace = usual_speed(len(self)) if speed is None else speed
        for _ in write_video(self._timeline, target, pace, layer, self._seat(seat)):
            pass

    def _seat(self, seat: int | None) -> int | None:
        if seat is not None and not 1 <= seat <= len(self.record.seats):
            raise NotFoundError(f"There is no seat {seat}: the episode has {len(self.record.seats)}.")
        return None if seat is None else seat - 1

    def __len__(self) -> int:
        return len(self._timeline.moments)

    @overload
    def __getitem__(self, place: int) -> "Position": ...
    @overload
    def __getitem__(self, place: slice) -> "list[Position]": ...
    def __getitem__(self, place: int | slice) -> "Position | list[Position]":
        if isinstance(place, slice):
            return [Position(self, number) for number in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(f"There is no position {place}: the episode has {len(self)}, from 0 to {len(self) - 1}.")
        return Position(self, place % len(self))

    def __iter__(self) -> Iterator["Position"]:
        return (Position(self, number) for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<episode of {self.record.game}: {self.outcome}>"

    def _repr_html_(self) -> str:
        from ludus.views.page.fragment import Folded, fragment
        from ludus.views.page.html_tables import Shown, table
        from ludus.views.run_columns import MOVES

        agents = {name: Shown(name, "") for name in self.agents}
        moves = Folded(plural(len(self.moves), "move"), table(self.moves, MOVES, agents), open=len(self.moves) <= _FEW)
        title = f"{self.game.spec()}: {', '.join(self.agents)}"
        return fragment(title, self.outcome, self[-1].picture(), moves)


class Position:
    """One position of an episode; `print` draws it as text, a notebook as a picture."""

    def __init__(self, episode: Episode, number: int) -> None:
        self.episode = episode
        """The episode."""
        self.number = number
        """The place in the episode, from 0."""
        self._moment = episode._timeline.moments[number]

    @property
    def state(self) -> State:
        """The state, as the rules of the game have it; not to be changed."""
        return self._moment.state

    @property
    def moves(self) -> list[Move]:
        """The moves that led here: several where players moved at once, none at the start."""
        return self._moment.step

    @property
    def movers(self) -> list[str]:
        """The names of the players to move; none at the end, and before an outcome of chance."""
        if self.number == len(self.episode) - 1 and not self.episode._timeline.answers(self.number):
            return []
        return [self.episode.agents[seat] for seat in self.episode.game.movers(self.state) if seat != CHANCE]

    def to_svg(self, *, layer: LayerName | None = None, seat: int | None = None) -> str:
        """Draw the position with its players as SVG.

        Args:
            layer: What an agent saw when it chose its move: `"heat"`, `"path"` or `"probability"`. Without it in the
                record, the agent is asked again.
            seat: Whose layer, from 1; without it, that of the first player that has one.
        """
        from ludus.views.boards.picture import HEIGHT, WIDTH
        from ludus.views.boards.svg import Svg

        shapes = Svg(WIDTH, HEIGHT)
        self._frames().draw(shapes, self._moment, self._layer(layer, seat))
        return shapes.source(_WIDE)

    def save(self, file: str | PathLike[str], *, layer: LayerName | None = None, seat: int | None = None) -> None:
        """Write the picture as SVG or PNG, by the ending of the file; `layer` and `seat` are as for `to_svg`."""
        from ludus.views.boards.bitmap import Bitmap
        from ludus.views.boards.picture import HEIGHT, WIDTH

        target = Path(file)
        check_target(target, _PICTURES)
        if target.suffix.lower() == ".svg":
            write_file(target, self.to_svg(layer=layer, seat=seat))
            return
        pixels = Bitmap(WIDTH, HEIGHT, _SHARP)
        self._frames().draw(pixels, self._moment, self._layer(layer, seat))
        with replaced(target) as part:
            pixels.image().save(part)

    def _frames(self) -> "Frames":
        from ludus.views.boards.picture import Frames

        return Frames(self.episode._timeline)

    def _layer(self, name: LayerName | None, seat: int | None) -> "Layer | None":
        number = self.episode._seat(seat)
        if name is None:
            if seat is not None:
                raise InvalidError("The seat names the player whose layer is drawn: give the layer too.")
            return None
        from ludus.views.boards.painters import painter_for
        from ludus.views.boards.seen_layers import see

        seen = see(self.episode._timeline, self.number, name, number)
        painter_for(self.episode.game).check(seen, self.state)
        return seen

    def picture(self) -> "Picture":
        """The picture as a part of the HTML that notebooks show."""
        from ludus.views.page.fragment import Picture

        told = self.episode.outcome if self.number == len(self.episode) - 1 else repr(self)
        return Picture(self.to_svg().encode(), told, _WIDE)

    def __str__(self) -> str:
        return self.episode.game.draw(self.state)

    def __repr__(self) -> str:
        moves = ", ".join(move.move for move in self.moves)
        return f"<position {self.number} of {self.episode.record.game}{f', after {moves}' if moves else ''}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()
