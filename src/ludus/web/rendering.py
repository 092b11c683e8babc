"""Pages from templates: those beside this module, and those that the report uses too."""

from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ludus.core.version import __version__
from ludus.views.episodes.browser_files import TEMPLATE, text_of
from ludus.views.page.templates import environment


@cache
def templates() -> jinja2.Environment:
    """The templates of the report, with those of the site."""
    shared = environment()
    made = shared.overlay(
        loader=jinja2.ChoiceLoader([jinja2.FunctionLoader(_own), _EPISODE, shared.loader or _NOTHING])
    )
    made.filters |= {"moment": moment}
    made.globals |= {"version": __version__}
    return made


_NOTHING = jinja2.DictLoader({})
_EPISODE = jinja2.DictLoader({TEMPLATE: text_of(TEMPLATE)})


def _own(name: str) -> str | None:
    file = files(__package__).joinpath("templates", name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def moment(when: datetime) -> Markup:
    """A time that the browser shows in the zone of its user; without scripts, it is in UTC."""
    exact = when.astimezone(UTC)
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(exact.isoformat(), exact)


def page(
    request: Request, template: str, title: str, *, status: int = 200, json: str | None = None, **content: Any
) -> HTMLResponse:
    """A page; `json` is the path of the same content as JSON: by default `/api` with its own path, empty if none."""
    shown = templates().get_template(template).render(framed(request.url.path, title, json), **content)
    return HTMLResponse(shown, status)


def framed(path: str, title: str, json: str | None = None) -> dict[str, Any]:
    """Values that the frame of every page needs; `json` as above."""
    return {"title": title, "path": path, "json": f"/api{path}" if json is None else json}
