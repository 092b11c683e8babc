"""The ladder of each game as a frame."""

from collections.abc import Sequence
from os import PathLike

import polars as pl

from ludus.api.arguments import GameLike, stored_game
from ludus.api.tournament_view import url_of
from ludus.stats.ladder import ladder as ladder_of
from ludus.store import open_store


def ladder(
    game: GameLike | None = None,
    tournaments: Sequence[str | int] = (),
    *,
    tau: float = 0.5,
    store: str | PathLike[str] | None = None,
) -> pl.DataFrame:
    """Rate agents by Glicko-2 over stored tournaments; each is one rating period, oldest first.

    Args:
        game: A game, with or without parameters; without it, every game has a ladder.
        tournaments: Numbers or names; without them, all.
        tau: How freely volatility changes, usually 0.3 to 1.2.
        store: A file or a URL; without it, the store of the user.

    Returns:
        Columns game, rank, agent, rating, deviation, volatility, games, periods (tournaments in which it played), last
        (when it played last).

    Raises:
        LudusError: There is no such game or tournament, or no episode between two agents.

    Example:
        >>> results = ludus.tournament("nim", ["random", "mc:iterations=20"], episodes=4, workers=0)
        >>> ludus.ladder("nim")["agent"].to_list()
        ['mc:iterations=20', 'random']
    """
    with open_store(url_of(store)) as opened:
        return ladder_of(opened, [*map(str, tournaments)], game=None if game is None else stored_game(game), tau=tau)
