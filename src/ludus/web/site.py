"""The site as its pages see it: the store, who has access, and what was computed."""

from concurrent.futures import ThreadPoolExecutor

from ludus.store import Store
from ludus.web.access import Access
from ludus.web.agents import Career, Roster, stamp_of
from ludus.web.episodes import Episodes
from ludus.web.held import HeldResults, ResultsHeld
from ludus.web.kept import Kept
from ludus.web.live.hub import Hub
from ludus.web.overview import Leader, Overview
from ludus.web.tournament_page import Standings, TournamentPage
from ludus.web.vega_bundle import VegaBundle

_WORKERS = 3
_PAGES, _LEADERS = 64, 1000


class Site:
    """The store and the access that all pages share, and what they have computed."""

    def __init__(self, store: Store, access: Access) -> None:
        self.store = store
        self.access = access
        self.episodes = Episodes(store)
        self.hub = Hub(store)
        """The hub that tells viewers about everything being played."""
        self.results = ResultsHeld(store)
        self.vega = VegaBundle()
        self._pool = ThreadPoolExecutor(_WORKERS, "ludus-page")
        self.pages = Kept(self._pool, self._page, _PAGES)
        self.standings = Kept(self._pool, self._standings, _PAGES)
        self.leaders = Kept(self._pool, self._leader, _LEADERS)
        self.rosters = Kept(self._pool, self._roster, 1)
        self.careers = Kept(self._pool, self._career, _PAGES)
        self.overviews = Kept(self._pool, self._overview, 1)

    def close(self) -> None:
        """End the computing."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _page(self, id: int, before: TournamentPage | None) -> TournamentPage:
        stamp = self.store.stamp(id)
        if before is not None and before.stamp == stamp:
            return before
        return TournamentPage(self.results.at(id, stamp), self.vega.address, self.hub)

    def _standings(self, id: int, before: Standings | None) -> Standings:
        stamp = self.store.stamp(id)
        running = stamp.finished is None and self.hub.playing(id) is not None
        if before is not None and (before.stamp, before.running) == (stamp, running):
            return before
        return Standings(self.results.at(id, stamp), self.hub, running)

    def _leader(self, id: int, before: Leader | None) -> Leader:
        stamp = self.store.stamp(id)
        if before is not None and before.stamp == stamp:
            return before
        return Leader(HeldResults(self.store, id, stamp), self.store)

    def _overview(self, _: int, before: Overview | None) -> Overview:
        return Overview(self.store)

    def _roster(self, _: str, before: Roster | None) -> Roster:
        stamp = stamp_of(self.store)
        return before if before is not None and before.stamp == stamp else Roster(self.store, stamp)

    def _career(self, agent: str, before: Career | None) -> Career:
        stamp = stamp_of(self.store)
        if before is not None and before.stamp == stamp:
            return before
        return Career(self.store, agent, self.rosters.get(""), stamp)
