"""Parts of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ludus.views.charts.chart_list import KINDS, Charts, Drawn
from ludus.views.page.html_tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart, or two charts with a switch with this label; if it is `on`, the second one is shown first."""

    title: str
    sentence: str
    charts: Sequence[dict[str, Any]]  # Vega-Lite; `datasets` are names of data shared by all charts of the page
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


Part = Figure | Table | Fold


@dataclass(frozen=True)
class Section:
    """A heading, one or two sentences, and the content."""

    title: str
    note: str
    parts: Sequence[Part]


class Datasets(dict[str, list[Any]]):
    """Rows of charts, under names derived from their content: the page has each set once."""

    def without(self, chart: Drawn) -> dict[str, Any]:
        """A chart as Vega-Lite that refers to its data by name; the data are kept here."""
        spec = chart.to_dict()
        self |= (found := spec.get("datasets", {}))
        return spec | {"datasets": list(found)}


def figure(
    charts: Charts, datasets: Datasets, name: str, option: str = "", switch: str = "", on: bool = False
) -> Figure:
    """A chart by name; with an option, the chart without and with it, and a switch between them."""
    kind = KINDS[name]
    ways: list[dict[str, bool]] = [{}, {option: True}] if option else [{}]
    specs = []
    for way in ways:
        spec = datasets.without(charts.draw(name, **way))
        del spec["title"]  # the page has its own title
        spec["description"] = f"{kind.title}: {kind.sentence}"  # for screen readers
        specs.append(spec)
    return Figure(kind.title, kind.sentence, specs, switch, on)
