"""The board of Breakthrough: pieces in the colours of their players, the one that moved last with a dot."""

from ludus.views.boards.colours import FIELD, ON_DARK, PAPER
from ludus.views.boards.painter import Painter


class BreakthroughBoard(Painter):
    name = "breakthrough"

    def paint(self, canvas, box, state, before, layer):
        size = self.game.size
        board = box.fitted(size, size)
        cell = board.width / size
        canvas.rounded(board, cell * 0.15, FIELD)
        for place, piece in enumerate(state.cells.tolist()):
            x, y = place % size, size - 1 - place // size
            centre = board.x + (x + 0.5) * cell, board.y + (y + 0.5) * cell
            canvas.disc(centre, cell * 0.42, PAPER if piece < 0 else self.colours[piece])
            if before is not None and piece not in (-1, before.cells[place]):
                canvas.disc(centre, cell * 0.12, ON_DARK)
