"""The site as its pages see it: the store, and who has access."""

from ludus.store import Store
from ludus.web.access import Access
from ludus.web.episodes import Episodes
from ludus.web.live.hub import Hub


class Site:
    """The store and the access that all pages share."""

    def __init__(self, store: Store, access: Access) -> None:
        self.store = store
        self.access = access
        self.episodes = Episodes(store)
        self.hub = Hub(store)
        """What is being played, for those who watch."""
