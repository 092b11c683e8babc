"""Which painter a game has: one of its own, or the one for text, so that every game has a picture."""

from ludus.contests.speed.game import Speed
from ludus.contests.speed.painter import SpeedPainter
from ludus.games.connect_four import ConnectFour
from ludus.games.game import Game
from ludus.games.gomoku import Gomoku
from ludus.games.hex import Hex
from ludus.games.othello import Othello
from ludus.games.tic_tac_toe import TicTacToe
from ludus.views.boards.painter import Painter
from ludus.views.boards.stones import ConnectFourPainter, GomokuPainter, HexPainter, OthelloPainter, TicTacToePainter
from ludus.views.boards.text_painter import TextPainter

_PAINTERS: dict[type[Game], type[Painter]] = {
    ConnectFour: ConnectFourPainter,
    Gomoku: GomokuPainter,
    Hex: HexPainter,
    Othello: OthelloPainter,
    Speed: SpeedPainter,
    TicTacToe: TicTacToePainter,
}


def painter_for(game: Game) -> Painter:
    """The painter of a game."""
    return _PAINTERS.get(type(game), TextPainter)(game)
