"""The database: tournaments, their episodes, and the data behind tables."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludus.store.entries import Entry, Sitting, Summary, Whole
    from ludus.store.lock import Lock
    from ludus.store.store import Store, open_store

__all__ = ["Entry", "Lock", "Sitting", "Store", "Summary", "Whole", "open_store"]


def __getattr__(name: str) -> Any:
    # Workers need no database, whose import would slow their start.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ludus.store import store

    return getattr(store, name)
