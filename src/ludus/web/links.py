"""Addresses of agents and episodes on the site."""

from urllib.parse import quote, urlencode

from ludus.tournaments.tournament import Tournament
from ludus.views.page.html_tables import Links


class StoreLinks(Links):
    """The addresses of what pages on the whole store name."""

    def agent(self, name: str) -> str:
        """The page of an agent."""
        return f"/agents/{quote(name, safe='')}"

    def episode(self, name: str) -> str:
        """The page of an episode."""
        return f"/episodes/{quote(name)}"

    def episodes(self, **facts: str) -> str:
        """The episodes with these facts."""
        return f"/history?{urlencode(facts)}"


class SiteLinks(StoreLinks):
    """The addresses of what a tournament names."""

    def __init__(self, id: int, tournament: Tournament) -> None:
        self._id = id
        # After an opening, the first seat is not always the first to choose a move.
        self._first_seat_begins = not tournament.openings.plies and not tournament.openings.listed

    def episodes(self, **facts: str) -> str:
        """The episodes of the tournament with these facts."""
        if not self._first_seat_begins:
            facts.pop("first", None)
        return super().episodes(tournament=str(self._id), **facts)
