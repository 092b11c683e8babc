"""The painter of a game: the one for its kind of board, or the one for text, so that every game has a picture."""

from ludus.core.registry import find, names
from ludus.games.game import Game
from ludus.views.boards.painter import Painter
from ludus.views.boards.text_painter import TextPainter


def painter_for(game: Game) -> Painter:
    """The painter of a game."""
    painter = find(Painter, game.board) if game.board in names(Painter.noun) else TextPainter
    return painter(game)
