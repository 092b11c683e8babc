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
    return page(request, "tournaments.html", "Tournaments", tournaments=found, moving=moving(site, found))


@router.get("/api/tournaments", tags=["tournaments"])
def tournaments(request: Request) -> list[dict[str, Any]]:
    """All tournaments, the newest first."""
    return [msgspec.to_builtins(found._asdict(), builtin_types=[datetime]) for found in listed(request.app.state.site)]


def listed(site: Site) -> list[Summary]:
    """All tournaments, the newest first."""
    overview = site.overviews.get(0)
    overview.ready.wait()
    for found in overview.tournaments:
        if not found.finished:
            site.paces.see(found.id, found.episodes)
    return overview.tournaments


def moving(site: Site, found: list[Summary]) -> set[int]:
    """The numbers of those that are being played now."""
    return {each.id for each in found if not each.finished and site.paces.is_moving(each.id)}
