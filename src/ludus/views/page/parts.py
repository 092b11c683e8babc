"""Parts of the page."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ludus.views.charts.chart_list import KINDS, Charts, Drawn
from ludus.views.page.html_tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart, or two charts with a switch with this label; if it is `on`, the second one is shown first."""

    title: str
    sentence: str
    charts: Sequence[Any]  # each as the template of charts needs it
    switch: str = ""
    on: bool = False
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True)
class Fold:
    """Collapsed details, unless `open`."""

    title: str
    parts: Sequence["Part"]
    open: bool = False
    kind: Literal["fold"] = "fold"


@dataclass(frozen=True)
class Later:
    """Collapsed details that are loaded from an address when somebody opens them, perhaps instead of what is above."""

    title: str
    address: str
    instead: bool = False
    kind: Literal["later"] = "later"


Part = Figure | Table | Fold | Later


@dataclass(frozen=True)
class Section:
    """A heading, one or two sentences, and the content."""

    title: str
    note: str
    parts: Sequence[Part]

    @property
    def name(self) -> str:
        """The name by which an address leads to it."""
        return slug(self.title)


def slug(title: str) -> str:
    """A title as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


Draw = Callable[[str, Mapping[str, bool]], Any]
"""Makes a chart from its name and options, in the form that the template of charts needs."""


class Datasets(dict[str, list[Any]]):
    """Rows of charts, under names derived from their content: the page has each set once."""

    def without(self, chart: Drawn) -> dict[str, Any]:
        """A chart as Vega-Lite that refers to its data by name; the data are kept here."""
        spec = chart.to_dict()
        self |= (found := spec.get("datasets", {}))
        return spec | {"datasets": list(found)}


def embedding(charts: Charts, datasets: Datasets) -> Draw:
    """A way of drawing charts for a page that has their data too."""

    def draw(name: str, options: Mapping[str, bool]) -> dict[str, Any]:
        return untitled(name, datasets.without(charts.draw(name, **options)))

    return draw


def untitled(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    """The chart with a name, without its title, which the page has; with a description for screen readers."""
    kind = KINDS[name]
    return {key: value for key, value in spec.items() if key != "title"} | {
        "description": f"{kind.title}: {kind.sentence}"
    }


def figure(draw: Draw, name: str, option: str = "", switch: str = "", on: bool = False) -> Figure:
    """A chart by name; with an option, the chart without and with it, and a switch between them."""
    ways: list[dict[str, bool]] = [{}, {option: True}] if option else [{}]
    return Figure(KINDS[name].title, KINDS[name].sentence, [draw(name, way) for way in ways], switch, on)
