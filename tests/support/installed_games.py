"""Games of plugins, for tests that also run without them."""

from collections.abc import Iterable

import pytest

from ludus.core.registry import names
from ludus.core.spec import Spec
from ludus.games.game import Game


def installed(specs: Iterable[str]) -> list[str]:
    """The specs of games that are installed."""
    return [spec for spec in specs if Spec.parse(spec).name in names(Game.noun)]


def needs(game: str) -> pytest.MarkDecorator:
    """A mark that skips a test where a game is not installed."""
    return pytest.mark.skipif(not installed([game]), reason=f"needs the game {game}")
