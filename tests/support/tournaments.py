"""Small tournaments, and the parts of their records that must not depend on who plays them."""

from pathlib import Path
from typing import Any

import msgspec

from ludus.episode.record import Record
from ludus.store import Store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Tournament
from support.places import SUPPORT

MISBEHAVING = SUPPORT / "misbehaving_agents.py"


def small(**changes: Any) -> Tournament:
    """A quick tournament with chance in it, whose agents are limited by counts."""
    settings: dict[str, Any] = {
        "game": "tic-tac-toe",
        "agents": ["random", "mcts:simulations=30", "alphabeta:depth=2"],
        "name": "small",
        "episodes": 5,
        "seed": 3,
        "opening_plies": 1,
    }
    return make_tournament(**(settings | changes))


def rogue(does: str, **changes: Any) -> Tournament:
    """Two agents, of which the first does something terrible at its second move."""
    agents = [f"{MISBEHAVING}:Rogue:does={does}", f"{MISBEHAVING}:First"]
    settings: dict[str, Any] = {"name": does, "episodes": 2, "opening_plies": 0}
    return small(agents=agents, **(settings | changes))


def dawdler(folder: Path) -> str:
    """The spec of an agent with which hundreds of episodes take minutes, until there is a file `go` in this folder."""
    return f"{MISBEHAVING}:Dawdler:folder={folder}"


def without_times(record: Record) -> dict[str, Any]:
    """All that must be the same in another run."""
    content = msgspec.to_builtins(record)
    del content["played"]
    for seat in content["seats"]:
        seat.pop("preparation", None)
    for step in content["steps"]:
        for move in step:
            for key in ("wall", "cpu", "waited"):
                move.pop(key, None)
    return dict(content)


def all_records(store: Store, id: int) -> dict[tuple[int, ...], dict[str, Any]]:
    """Every record without its times, by key."""
    return {tuple(key): without_times(record) for key, record in store.records(id)}
