"""All tournaments of the store."""

from datetime import datetime
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from ludus.store.entries import Summary
from ludus.web.rendering import page
from ludus.web.site import Site

router = APIRouter()


@router.get("/tournaments", include_in_schema=False)
def show_tournaments(request: Request) -> Response:
    """Show all tournaments."""
    site = request.app.state.site
    found = listed(site)
    return page(request, "tournaments.html", "Tournaments", tournaments=found, running=running(site))


@router.get("/api/tournaments", tags=["tournaments"])
def tournaments(request: Request) -> list[dict[str, Any]]:
    """All tournaments, the newest first."""
    return [msgspec.to_builtins(found._asdict(), builtin_types=[datetime]) for found in listed(request.app.state.site)]


def listed(site: Site) -> list[Summary]:
    """All tournaments, the newest first."""
    overview = site.overviews.get(0)
    overview.ready.wait()
    return overview.tournaments


def running(site: Site) -> set[int]:
    """The numbers of those that are being played now."""
    runs = site.hub.runs(feeds=False)
    return {run.card.tournament for run in runs if run.alive and run.card.tournament is not None}
