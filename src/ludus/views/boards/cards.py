"""Hands of cards and the prizes they are played for.

For games whose positions as text are the prize, the prizes after it, and each player's hand and points, as in
`3/1-2/1-2-4:0/1-2-3:4`.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from ludus.core.text import plural
from ludus.games.game import Game
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import FIELD, HAIRLINE, INK, ON_LIGHT, PAPER, QUIET, readable_on
from ludus.views.boards.painter import Layer, Painter

_GOLD = "#e2bb55"
_TALL = 1.4  # height of a card relative to its width
_LABEL = 26.0  # height of the line above a row of cards


class Deal(NamedTuple):
    """The prize on the table (0 for none), the prizes after it, and each player's hand and points."""

    prize: int
    prizes: set[int]
    hands: list[set[int]]
    points: list[int]


class CardsPainter(Painter):
    """Draws the prizes above, and below them each player's hand; cards that are gone keep their places."""

    name: ClassVar[str] = "cards"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        start = self._deal(game.start(new_rng(0)))
        self._cards = sorted({*start.hands[0], *start.prizes, start.prize} - {0})

    def _deal(self, state: State) -> Deal:
        prize, left, *players = self.game.save(state).split("/")
        hands, points = zip(*(player.split(":") for player in players), strict=True)
        return Deal(int(prize), _set_of(left), [_set_of(hand) for hand in hands], [int(count) for count in points])

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        now = self._deal(state)
        then = now if before is None else self._deal(before)
        self._label(canvas, box, -1, "prizes", "")
        for card in self._cards:
            place = self._place(box, -1, card)
            if card == now.prize:
                _draw_card(canvas, place, card, _GOLD, marked=True)
            elif card in now.prizes:
                _draw_card(canvas, place, card, _GOLD)
            else:
                _draw_gone(canvas, place, card)
        for seat, hand in enumerate(now.hands):
            self._label(canvas, box, seat, f"player {seat + 1}", plural(now.points[seat], "point"))
            for card in self._cards:
                place = self._place(box, seat, card)
                if card in hand:
                    _draw_card(canvas, place, card, self.colours[seat])
                else:
                    _draw_gone(canvas, place, card, self.colours[seat] if card in then.hands[seat] else None)

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        found: dict[str, list[Sequence[Point]]] = {}
        for text in moves:
            x, y, width, height = self._place(box, seat, int(text))
            found[text] = [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]]
        return found

    def status(self, state: State, seat: int) -> str:
        return plural(self._deal(state).points[seat], "point")

    def _place(self, box: Box, row: int, card: int) -> Box:
        """The place of a card in a row: −1 for the prizes, else a seat."""
        size, high = self._sizes(box)
        left = box.centre[0] - size * len(self._cards) / 2
        top = box.centre[1] - high * (self.game.seats + 1) / 2 + (row + 1) * high + _LABEL
        gap = size * 0.06
        return Box(left + self._cards.index(card) * size + gap, top, size - 2 * gap, (size - 2 * gap) * _TALL)

    def _sizes(self, box: Box) -> tuple[float, float]:
        """The width of a card with its gap, and the height of a row."""
        rows = self.game.seats + 1
        size = min(box.width / len(self._cards), (box.height / rows - _LABEL * 1.8) / _TALL, 110.0)
        return size, size * _TALL + _LABEL * 1.8

    def _label(self, canvas: Canvas, box: Box, row: int, name: str, value: str) -> None:
        first, last = (self._place(box, row, card) for card in (self._cards[0], self._cards[-1]))
        canvas.text((first.x, first.y - 9), name, 15, QUIET, "ls")
        canvas.text((last.x + last.width, last.y - 9), value, 17, INK, "rs")


def _draw_card(canvas: Canvas, place: Box, card: int, colour: str, *, marked: bool = False) -> None:
    if marked:
        edge = place.width * 0.09
        around = Box(place.x - edge, place.y - edge, place.width + 2 * edge, place.height + 2 * edge)
        canvas.rounded(around, place.width * 0.2, INK)
    canvas.rounded(place, place.width * 0.13, colour)
    ink = ON_LIGHT if colour == _GOLD else readable_on(colour)
    canvas.text(place.centre, str(card), place.width * 0.5, ink, "mm")


def _draw_gone(canvas: Canvas, place: Box, card: int, colour: str | None = None) -> None:
    """Draw the place of a card that is gone; the one played last has the colour of its player."""
    edge = place.width * (0.03 if colour is None else 0.08)
    canvas.rounded(place, place.width * 0.13, colour or HAIRLINE)
    inside = Box(place.x + edge, place.y + edge, place.width - 2 * edge, place.height - 2 * edge)
    canvas.rounded(inside, place.width * 0.1, PAPER if colour else FIELD)
    canvas.text(place.centre, str(card), place.width * 0.42, INK if colour else QUIET, "mm")


def _set_of(text: str) -> set[int]:
    return {int(card) for card in text.split("-")} - {0}
