"""The application: its routes, its guard, and errors as pages or JSON."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response

from ludus.core.errors import BusyError, InvalidError, LudusError, NotFoundError
from ludus.core.version import __version__
from ludus.views.episodes.browser_files import MODULES, STYLE, style, text_of
from ludus.views.page.templates import source
from ludus.web.access import Guard
from ludus.web.live import socket
from ludus.web.pages import (
    agents,
    charts,
    downloads,
    episodes,
    history,
    home,
    live,
    login,
    tournament,
    tournaments,
    wall,
)
from ludus.web.rendering import page
from ludus.web.site import Site

_STATUS = {NotFoundError: 404, InvalidError: 400, BusyError: 503}
_PARTS = (agents, charts, downloads, episodes, history, home, live, login, socket, tournament, tournaments, wall)
_LEAST_PACKED = 1000  # bytes from which an answer is compressed


def application(site: Site) -> FastAPI:
    """The application of a site."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        site.close()

    app = FastAPI(
        title="Ludus",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.site = site
    app.add_middleware(GZipMiddleware, minimum_size=_LEAST_PACKED)
    app.add_middleware(Guard, access=site.access)
    for part in _PARTS:
        app.include_router(part.router)
    app.add_api_route("/static/page.css", _shared_style, include_in_schema=False)
    for name in (STYLE, *MODULES):
        app.add_api_route(f"/static/{name}", partial(_of_episodes, name), include_in_schema=False)
    app.mount("/static", StaticFiles(packages=[(__package__, "static")]))
    app.add_exception_handler(LudusError, _on_ludus_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(Exception, _on_mistake)
    return app


def _shared_style() -> Response:
    """The style that the report uses too."""
    return Response(source("page.css"), media_type="text/css")


def _of_episodes(name: str) -> Response:
    """A file that the page of an episode also has when it is saved as one file."""
    if name == STYLE:
        return Response(style(), media_type="text/css")
    return Response(text_of(name), media_type="text/javascript")


def _on_ludus_error(request: Request, error: Exception) -> Response:
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 500)
    return _refused(request, status, str(error))


def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()[0]
    place = " ".join(map(str, found["loc"][1:]))
    return _refused(request, 422, f"The value of '{place}' cannot be used: {found['msg']}.")


def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    missing = error.status_code == HTTPStatus.NOT_FOUND
    sentence = f"There is no page {request.url.path}." if missing else f"{error.detail}."
    return _refused(request, error.status_code, sentence)


def _on_mistake(request: Request, error: Exception) -> Response:
    """The answer to a mistake of Ludus, which the terminal shows in full."""
    sentence = f"This should not happen, please report it: {type(error).__name__} on {request.url.path}."
    return _refused(request, 500, sentence)


def _refused(request: Request, status: int, sentence: str) -> Response:
    """The answer to a request that cannot be served: one sentence."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": sentence}, status)
    return page(request, "error.html", HTTPStatus(status).phrase, status=status, json="", sentence=sentence)
