"""The page as one file: template, style and script are beside this module."""

import base64
import hashlib
from functools import cache
from typing import Any

from markupsafe import Markup

from ludus.core.errors import InvalidError
from ludus.stats.results import Results
from ludus.views.charts.chart_list import Drawn
from ludus.views.charts.vega import bundle, vega
from ludus.views.facts import facts, progress
from ludus.views.page.head import colophon, lead
from ludus.views.page.parts import Datasets
from ludus.views.page.sections import Content
from ludus.views.page.templates import environment, source


def render(results: Results) -> str:
    """The results as one page of HTML that loads nothing from the network."""
    if not results.played:
        raise InvalidError(f"'{results.tournament.name}' has no episodes yet: run it first.")
    vega()  # before all the work, if it is missing
    content = Content(results)
    return rendered(
        "page.html",
        results.tournament.name,
        results=results,
        facts=facts(results),
        colophon=colophon(results),
        lead=lead(results),
        sections=[*content.sections()],
        datasets=content.datasets,
        progress="" if results.summary.finished else progress(results),
    )


def render_chart(chart: Drawn) -> str:
    """One chart as a page of its own."""
    datasets = Datasets()
    spec = datasets.without(chart)
    return rendered("chart.html", spec["title"]["text"], spec=spec, datasets=datasets)


def rendered(template: str, title: str, **content: Any) -> str:
    """A template as a page with the common frame, style and script."""
    script = _script()
    page = environment().get_template(template)
    return page.render(
        title=title, style=Markup(source("page.css")), script=Markup(script), hash=script_hash(script), **content
    )


@cache
def _script() -> str:
    """Vega with the page's own script, as one file."""
    return bundle(source("page.js"))


def script_hash(script: str) -> str:
    """The hash of the script for the page's policy: no other script may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
