"""Templates of the page and of fragments for notebooks, which lie beside this module."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup


@cache
def environment() -> jinja2.Environment:
    """The environment that renders the templates."""
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(source),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters["embedded"] = _embedded
    return made


def source(name: str) -> str:
    """The text of a file beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _embedded(value: Any) -> Markup:
    """JSON inside a script element, which no text in it can end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
