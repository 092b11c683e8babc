"""One tournament: its page, what changes on it while it is played, and its data."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from ludus.core.errors import NotFoundError
from ludus.web.site import Site
from ludus.web.tournament_data import TournamentData, tournament_data
from ludus.web.tournament_page import TournamentPage

router = APIRouter()
Id = Annotated[int, Path(ge=1, le=2**63 - 1, description="the number of a tournament")]


@router.get("/tournaments/{id}", include_in_schema=False)
def show_tournament(request: Request, id: Id) -> Response:
    """Show a tournament; the first visitor of a new state gets each part as soon as it is computed."""
    site: Site = request.app.state.site
    found = site.pages.get(id)
    tag = {"ETag": f'"{found.tag}"'}
    if found.packed and knows(request, found.tag):
        return Response(status_code=304, headers=tag)
    if found.packed and "gzip" in request.headers.get("accept-encoding", ""):
        headers = tag | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(found.packed, headers=headers, media_type="text/html")
    return StreamingResponse(found.stream(), headers=tag if found.packed else None, media_type="text/html")


@router.get("/tournaments/{id}/parts/{name}", include_in_schema=False)
def show_part(request: Request, id: Id, name: str) -> Response:
    """Show details of the page of a tournament that it loads on request."""
    found: TournamentPage = request.app.state.site.pages.get(id)
    for _ in found.stream():
        pass  # until it is complete
    if name not in found.parts:
        raise NotFoundError(f"The page of tournament {id} has no part '{name}'.")
    return HTMLResponse(found.parts[name])


@router.get("/tournaments/{id}/standings", include_in_schema=False)
def show_standings(request: Request, id: Id) -> Response:
    """Show progress, leader and standings as a fragment of the page."""
    found = request.app.state.site.standings.get(id)
    found.ready.wait()
    if knows(request, found.tag):
        return Response(status_code=304, headers={"ETag": f'"{found.tag}"'})
    return HTMLResponse(found.html, headers={"ETag": f'"{found.tag}"'})


@router.get("/api/tournaments/{id}", tags=["tournaments"])
def tournament(request: Request, id: Id) -> TournamentData:
    """Everything on the page of a tournament: what was played, and the tables behind it."""
    site: Site = request.app.state.site
    return tournament_data(site.results.now(id))


def knows(request: Request, tag: str) -> bool:
    """True if the browser has this state already."""
    return f'"{tag}"' in request.headers.get("if-none-match", "")
