"""The painter of a game: the one for its kind of board, or the one for text, so that every game has a picture."""

from ludus.core.registry import classes_in, find, names
from ludus.core.user_file import import_file
from ludus.games.game import Game
from ludus.views.boards.painter import Painter
from ludus.views.boards.text_painter import TextPainter

BESIDE = "_board.py"
"""The end of the name of a file beside a user's game, which has its painter: it is read only where boards are drawn."""


def painter_for(game: Game) -> Painter:
    """The painter of a game: the one in the file beside the game's own, or that of its kind of board."""
    for file in game.files():
        beside = file.with_name(f"{file.stem}{BESIDE}")
        if beside.is_file() and (own := classes_in(Painter, import_file(str(beside)))):
            return own[0](game)
    painter = find(Painter, game.board) if game.board in names(Painter.noun) else TextPainter
    return painter(game)
