"""The first page: what runs now, what was played last, and a game to watch."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from ludus.web.pace import spoken_left
from ludus.web.pages.tournaments import listed, moving
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
    running = [each for each in found if not each.finished and each.id in moving(site, found)]
    leaders = {each.id: site.leaders.at_hand(each.id) for each in [*recent, *running]}
    known = {id: leader for id, leader in leaders.items() if leader is not None and leader.is_complete}
    left = {
        each.id: site.paces.left(each.id, each.episodes, known[each.id].planned, [])
        for each in running
        if each.id in known
    }
    games = [(each, known[each.id].game) for each in recent if each.id in known and known[each.id].game]
    return {
        "recent": recent,
        "number": len(found),
        "running": running,
        "moving": {each.id for each in running},
        "leaders": known,
        "left": {id: spoken_left(seconds) for id, seconds in left.items() if seconds is not None},
        "games": games[:_WATCHED],
        "is_complete": len(known) == len(leaders),
    }
