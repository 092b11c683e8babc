"""The first page: what runs now, what was played last, and a game to watch."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from ludus.web.pages.tournaments import listed
from ludus.web.progress import time_left
from ludus.web.rendering import page
from ludus.web.site import Site

router = APIRouter()
_RECENT = 8
_WATCHED = 3


@router.get("/", include_in_schema=False)
def show_home(request: Request) -> Response:
    """Show what runs now, the latest tournaments, and games to watch."""
    return page(request, "home.html", "Home", json="/api/tournaments", **_content(request.app.state.site))


@router.get("/news", include_in_schema=False)
def show_news(request: Request) -> Response:
    """Show what changes on the first page."""
    return page(request, "news.html", "Home", json="", **_content(request.app.state.site))


def _content(site: Site) -> dict[str, Any]:
    found = listed(site)
    recent = found[:_RECENT]
    runs = [run for run in site.hub.runs(feeds=False) if run.alive]
    played = {run.card.tournament for run in runs if run.card.tournament is not None}
    wanted = dict.fromkeys([*played, *(each.id for each in recent)])
    leaders = {id: site.leaders.at_hand(id) for id in wanted}
    known = {id: leader for id, leader in leaders.items() if leader is not None and leader.is_complete}
    games = [(each, known[each.id].game) for each in recent if each.id in known and known[each.id].game]
    return {
        "recent": recent,
        "number": len(found),
        "runs": [(run, time_left(run)) for run in runs],
        "running": played,
        "leaders": known,
        "games": games[:_WATCHED],
        "is_complete": len(known) == len(leaders),
    }
