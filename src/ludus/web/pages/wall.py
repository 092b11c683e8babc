"""The wall of a tournament: its standings and games, large and by turns, for a projector."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from ludus.web.pages.tournament import Id, knows
from ludus.web.progress import Progress
from ludus.web.rendering import page, templates
from ludus.web.site import Site
from ludus.web.wall import headline, slides

router = APIRouter()


@router.get("/tournaments/{id}/wall", include_in_schema=False)
def show_wall(request: Request, id: Id) -> Response:
    """Show the wall."""
    site: Site = request.app.state.site
    name, json = site.store.summary(id).name, f"/api/tournaments/{id}"
    return page(request, "wall.html", name, json=json, id=id, slides=_slides(site, id))


@router.get("/tournaments/{id}/slides", include_in_schema=False)
def show_slides(request: Request, id: Id) -> Response:
    """Show what the wall shows, without the frame."""
    site: Site = request.app.state.site
    tag = f"{site.results.now(id).tag}-wall"
    if knows(request, tag):
        return Response(status_code=304, headers={"ETag": f'"{tag}"'})
    return HTMLResponse(_slides(site, id), headers={"ETag": f'"{tag}"'})


def _slides(site: Site, id: int) -> str:
    held = site.results.now(id)
    leader = site.leaders.at_hand(id)
    with held.lock:
        results = held.results
        has_results = bool(held.stamp.episodes)
        return (
            templates()
            .get_template("slides.html")
            .render(
                results=results,
                progress=Progress(results, held.stamp, site.hub),
                headline=headline(results) if has_results else "No episode has been played yet.",
                slides=[*slides(results)] if has_results else [],
                game=leader.game if leader is not None else None,
            )
        )
