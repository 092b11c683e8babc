"""Charts of a tournament: as JSON for the browser, as pictures, and the script that draws them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ludus.core.errors import NotFoundError
from ludus.views.charts.chart_list import KINDS
from ludus.views.charts.vega import vega
from ludus.web.pages.tournament import Id, knows
from ludus.web.site import Site

router = APIRouter()
_LONG = "public, max-age=31536000, immutable"
_SHARP = 2  # pixels of a unit of a chart
_TYPES = {"json": "application/json", "svg": "image/svg+xml", "png": "image/png"}

Switch = Annotated[bool, Query()]


@router.get("/static/charts.js", include_in_schema=False)
def send_script(request: Request) -> Response:
    """Send Vega, which draws the charts."""
    headers = {"Content-Encoding": "gzip", "Cache-Control": _LONG}
    return Response(request.app.state.site.vega.packed(), media_type="text/javascript", headers=headers)


@router.get("/tournaments/{id}/charts/{name}.{form}", include_in_schema=False)
def draw_chart(request: Request, id: Id, name: str, form: str, sorted: Switch = False, log: Switch = False) -> Response:
    """Draw a chart; those with such options can be sorted by strength, or have a logarithmic axis."""
    site: Site = request.app.state.site
    if name not in KINDS or form not in _TYPES:
        raise NotFoundError(f"There is no chart {name}.{form}: choose from {', '.join(KINDS)}, as json, svg or png.")
    held = site.results.now(id)
    tag = f"{held.tag}-{name}-{sorted:d}{log:d}-{form}"
    if knows(request, tag):
        return Response(status_code=304, headers={"ETag": f'"{tag}"'})
    options = {option: True for option, wanted in (("sorted", sorted), ("log", log)) if wanted}
    headers = {"ETag": f'"{tag}"'}
    if form == "json":
        return Response(held.spec(name, options), media_type=_TYPES[form], headers=headers)
    package = vega()
    with held.lock:
        drawn = held.chart(name, options).to_dict()
    content = package.vegalite_to_svg(drawn) if form == "svg" else package.vegalite_to_png(drawn, scale=_SHARP)
    headers |= {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(content, media_type=_TYPES[form], headers=headers)
