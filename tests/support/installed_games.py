"""Games for tests over many games: those of plugins only where they are installed."""

from collections.abc import Iterable

from ludus.core.registry import names
from ludus.core.spec import Spec
from ludus.games.game import Game


def installed(specs: Iterable[str]) -> list[str]:
    """The specs of games that are there."""
    return [spec for spec in specs if Spec.parse(spec).name in names(Game.noun)]
