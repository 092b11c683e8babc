"""The page as one file: template, style and script lie beside this module."""

import base64
import hashlib
from functools import cache
from typing import Any

import vl_convert
from markupsafe import Markup

from ludus.core.errors import InvalidError
from ludus.stats.results import Results
from ludus.views.charts.chart_list import Drawn
from ludus.views.facts import facts, progress
from ludus.views.page.head import colophon, lead
from ludus.views.page.parts import Datasets
from ludus.views.page.sections import Content
from ludus.views.page.templates import environment, source


def render(results: Results) -> str:
    """The results as one page of HTML that asks nothing of the network."""
    if not results.played:
        raise InvalidError(f"Nothing of '{results.tournament.name}' has been played yet: run it first.")
    content = Content(results)
    return _rendered(
        "page.html",
        results.tournament.name,
        results=results,
        facts=facts(results),
        colophon=colophon(results),
        lead=lead(results),
        sections=content.sections(),
        datasets=content.datasets,
        progress="" if results.summary.finished else progress(results),
    )


def render_chart(chart: Drawn) -> str:
    """One chart as a page of its own."""
    datasets = Datasets()
    spec = datasets.without(chart)
    return _rendered("chart.html", spec["title"]["text"], spec=spec, datasets=datasets)


def _rendered(template: str, title: str, **content: Any) -> str:
    script = _script()
    page = environment().get_template(template)
    return page.render(
        title=title, style=Markup(source("page.css")), script=Markup(script), hash=_hash(script), **content
    )


@cache
def _script() -> str:
    """Vega, Vega-Lite and Vega-Embed with the page's own script, as one."""
    return vl_convert.javascript_bundle(source("page.js"))


def _hash(script: str) -> str:
    """The script as the page's policy names it: nothing else on the page may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
