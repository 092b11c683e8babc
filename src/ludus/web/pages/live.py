"""Games while they are being played: all runs, and one live game."""

import time
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from ludus.run.live_reader import RunNow
from ludus.web.live.run_sources import described
from ludus.web.rendering import page

router = APIRouter()


@router.get("/live/{run}/{feed}", include_in_schema=False)
def show_live(request: Request, run: str, feed: str) -> Response:
    """Show a game while it is being played."""
    found: RunNow = request.app.state.site.hub.run(run)
    names = next((each.players for each in found.feeds if each.name == feed), [])
    title = f"Live: {found.card.name}"
    return page(request, "live.html", title, run=found, feed=feed, names=names, now=time.time_ns() // 10**6)


@router.get("/api/live", tags=["live"])
def runs(request: Request) -> list[dict[str, Any]]:
    """All runs, with what can be watched of each."""
    return list(map(described, request.app.state.site.hub.runs()))


@router.get("/api/live/{run}/{feed}", tags=["live"])
def live_game(request: Request, run: str, feed: str) -> dict[str, Any]:
    """A game as it is now: its players, its film, its moves and clocks."""
    found: dict[str, Any] = request.app.state.site.hub.snapshot(run, feed)
    return found
