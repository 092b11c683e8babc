"""The first page: what runs now, and what was played last."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from ludus.web.pages.tournaments import listed
from ludus.web.rendering import page

router = APIRouter()
_RECENT = 8


@router.get("/", include_in_schema=False)
def show_home(request: Request) -> Response:
    """Show what runs now, and the latest tournaments."""
    found = listed(request.app.state.site)
    recent = found[:_RECENT]
    return page(request, "home.html", "Home", json="/api/tournaments", recent=recent, number=len(found))
