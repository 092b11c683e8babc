"""Pictures of an episode: a title, the board, and beside it the players, the round and the standings."""

from collections.abc import Sequence

from ludus.agents.layers import MEANINGS, PATH
from ludus.core.text import score
from ludus.views.boards.canvas import Box, Canvas
from ludus.views.boards.colours import HAIRLINE, INK, PAPER, QUIET, mixed, on_ramp, readable_on
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.boards.timeline import Moment, Timeline

WIDTH, HEIGHT = 1280, 720
"""Size of a picture in units; video has as many pixels."""

_BOARD = Box(28, 28, 664, 664)
_LEFT, _RIGHT = 732, 1244
_WIDE = _RIGHT - _LEFT
_TOP = 40
_SEATS = 150  # top of the rows of the players
_ROW, _ALL_ROWS = 74, 366  # height of a row, and maximum height of all rows
_INDENT = 56
_FOOT = 692
_LEGEND = 560


class Frames:
    """Draws pictures of an episode, each on a canvas of `WIDTH` × `HEIGHT`."""

    def __init__(self, episode: Timeline) -> None:
        self._episode = episode
        self._painter = painter_for(episode.game)
        game = episode.game
        self._name = game.title
        self._options = game.spec().removeprefix(game.origin or game.name).removeprefix(":").replace(",", "   ")
        self._date = f"{episode.record.played:%d %B %Y}".lstrip("0")

    def draw_title(self, canvas: Canvas) -> None:
        """Draw the title card of a video: the game, the players with their places, the result, the source, the date."""
        names, places = self._episode.names, self._episode.places
        row = min(_ROW, _ALL_ROWS / len(names))
        top = (HEIGHT - (150 + row * len(names) + 100)) / 2
        left, wide = 240, WIDTH - 480
        canvas.text((left, top), self._name, 64, INK, "la", wide)
        canvas.text((left + 2, top + 82), self._options, 22, QUIET, "la", wide)
        canvas.line([(left, top + 124), (left + wide, top + 124)], HAIRLINE, 2)
        for seat, player in enumerate(names):
            middle = top + 150 + row * (seat + 0.5)
            self._badge(canvas, left + 22, middle, seat, min(22, row * 0.4))
            canvas.text((left + 64, middle), player, min(30, row * 0.5), INK, "lm", wide - 184)
            if places:
                canvas.text((left + wide, middle), f"place {places[seat]}", min(22, row * 0.4), QUIET, "rm")
        bottom = top + 150 + row * len(names) + 24
        canvas.text((left + 2, bottom), self._episode.result, 24, INK, "la", wide)
        facts = " · ".join(filter(None, (self._episode.source, self._date)))
        canvas.text((left + 2, bottom + 44), facts, 22, QUIET, "la", wide - 90)
        canvas.text((left + wide, bottom + 44), "Ludus", 22, QUIET, "ra")

    def draw(self, canvas: Canvas, moment: Moment, layer: Layer | None = None) -> None:
        """Draw a moment, with the result at the end of the episode; a layer is of the move that was chosen there."""
        self._painter.paint(canvas, _BOARD, moment.state, moment.before, layer)
        canvas.text((_LEFT, _TOP), self._name, 34, INK, "la", _WIDE - 190)
        canvas.text((_LEFT, _TOP + 46), self._options, 17, QUIET, "la", _WIDE - 190)
        at_end = moment is self._episode.last
        self._number(canvas, moment, chosen=layer is not None)
        canvas.line([(_LEFT, _TOP + 92), (_RIGHT, _TOP + 92)], HAIRLINE, 2)
        row = min(_ROW, _ALL_ROWS / len(self._episode.names))
        self._players(canvas, moment, row, at_end)
        below = _SEATS + row * len(self._episode.names) + 18
        canvas.line([(_LEFT, below), (_RIGHT, below)], HAIRLINE, 2)
        if layer is not None:
            self._legend(canvas, layer)
            return
        if at_end:
            _paragraph(canvas, self._episode.result, 24, INK, below + 24)
        canvas.text((_LEFT, _FOOT), self._date, 17, QUIET, "ls")
        canvas.text((_RIGHT, _FOOT), "Ludus", 17, QUIET, "rs")

    def _number(self, canvas: Canvas, moment: Moment, *, chosen: bool) -> None:
        """The number of the last move, or of the one that is `chosen` in this position."""
        word = self._painter.round_word
        if not chosen and moment.before is None:
            canvas.text((_RIGHT, _TOP + 52), "start", 17, QUIET, "ra")
            return
        canvas.text((_RIGHT, _TOP - 2), f"{moment.round - (not chosen):,}", 46, INK, "ra")
        canvas.text((_RIGHT, _TOP + 52), word if chosen else f"after {word}", 17, QUIET, "ra")

    def _players(self, canvas: Canvas, moment: Moment, row: float, at_end: bool) -> None:
        """Draw a row for each player, with the winners or the player to move highlighted."""
        scores = self._episode.record.scores
        movers = self._episode.game.movers(moment.state)
        last_moves = {move.seat: move.move for move in moment.step}
        for seat, name in enumerate(self._episode.names):
            won = len(scores) > 1 and scores[seat] == max(scores) > min(scores)
            top = _SEATS + row * seat
            if won if at_end else movers == [seat]:
                canvas.rounded(Box(_LEFT - 10, top + 3, _WIDE + 20, row - 6), 10, mixed(HAIRLINE, PAPER, 0.55))
            ink = QUIET if self._episode.game.is_out(moment.state, seat) else INK
            size, middle = min(24, row * 0.36), top + row / 2
            self._badge(canvas, _LEFT + 20, middle, seat, min(20, row * 0.36))
            if at_end:
                canvas.text((_RIGHT, middle), score(scores[seat]), size, ink, "rm")
            has_second_line = self._second_line(canvas, moment, seat, middle + row * 0.2, row, last_moves.get(seat, ""))
            above = row * 0.17 if has_second_line else 0
            wide = _WIDE - _INDENT - (80 if at_end else 0)
            canvas.text((_LEFT + _INDENT, middle - above), name, size, ink, "lm", wide)

    def _second_line(self, canvas: Canvas, moment: Moment, seat: int, y: float, row: float, move: str) -> bool:
        """Draw a player's state and last move; False if there is nothing to write."""
        status, gauge = self._painter.status(moment.state, seat), self._painter.gauge(moment.state, seat)
        size, x = min(17, row * 0.26), float(_LEFT + _INDENT)
        canvas.text((x, y), status, size, QUIET, "lm")
        if gauge is not None:
            filled, pips = gauge
            x += 80
            for pip in range(pips):
                colour = self._painter.colours[seat] if pip < filled else HAIRLINE
                canvas.rounded(Box(x + pip * 11, y - 6, 8, 12), 3, colour)
            x += pips * 11 + 14
        elif status:
            x += canvas.width_of(status, size) + 14
        canvas.text((x, y), move, size, QUIET, "lm", _RIGHT - 80 - x)
        return bool(status or move)

    def _badge(self, canvas: Canvas, x: float, y: float, seat: int, radius: float) -> None:
        """Draw a disc in the colour of a player, with its number."""
        colour = self._painter.colours[seat]
        canvas.disc((x, y), radius, colour, mixed(colour, INK, 0.3), 1)
        canvas.text((x, y), str(seat + 1), radius, readable_on(colour), "mm")

    def _legend(self, canvas: Canvas, layer: Layer) -> None:
        who = self._episode.names[layer.seat]
        canvas.text((_LEFT, _LEGEND), f"{layer.name} of {who}", 24, INK, "la", _WIDE)
        canvas.text((_LEFT, _LEGEND + 34), MEANINGS[layer.name], 17, QUIET, "la", _WIDE)
        if layer.name != PATH:
            steps = 128
            step = _WIDE / steps
            for i in range(steps):
                value = ((i + 0.5) / steps) ** 2
                canvas.rectangle(Box(_LEFT + i * step, _LEGEND + 66, step, 16), on_ramp(value))
            for value, anchor in ((0, "la"), (0.1, "ma"), (0.3, "ma"), (0.6, "ma"), (1, "ra")):
                at = _LEFT + value**0.5 * _WIDE
                canvas.text((at, _LEGEND + 88), f"{value:g}", 15, QUIET, anchor)
        if layer.asked_anew:
            canvas.text((_LEFT, _FOOT), "asked again for this picture: the record has no layers", 17, QUIET, "ls")


def _paragraph(canvas: Canvas, text: str, size: float, colour: str, top: float) -> None:
    """Draw a text over several lines."""
    for number, line in enumerate(_lines(canvas, text.split(), size, _WIDE)[:4]):
        canvas.text((_LEFT, top + number * size * 1.35), line, size, colour, "la", _WIDE)


def _lines(canvas: Canvas, words: Sequence[str], size: float, width: float) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and canvas.width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
