"""Parts of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ludus.views.charts.chart_list import KINDS, Charts, Drawn
from ludus.views.page.html_tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart, or two between which a switch with this label chooses; where it is `on`, the second is seen first."""

    title: str
    sentence: str
    charts: Sequence[dict[str, Any]]  # as Vega-Lite; `datasets` are names of what the page holds for all charts
    switch: str = ""
    on: bool = False
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True)
class Fold:
    """Details that are folded away, unless `open`."""

    title: str
    parts: Sequence["Part"]
    open: bool = False
    kind: Literal["fold"] = "fold"


Part = Figure | Table | Fold


@dataclass(frozen=True)
class Section:
    """A heading, one or two sentences, and what stands below."""

    title: str
    note: str
    parts: Sequence[Part]


class Datasets(dict[str, list[Any]]):
    """The rows that charts show, by names that come from what they hold: the page has each set once."""

    def without(self, chart: Drawn) -> dict[str, Any]:
        """A chart as Vega-Lite, which only names its sets of data; they are kept here."""
        spec = chart.to_dict()
        self |= (found := spec.get("datasets", {}))
        return spec | {"datasets": list(found)}


def figure(
    charts: Charts, datasets: Datasets, name: str, option: str = "", switch: str = "", on: bool = False
) -> Figure:
    """A chart by name; with an option, the chart without it and with it, and a switch between them."""
    kind = KINDS[name]
    ways: list[dict[str, bool]] = [{}, {option: True}] if option else [{}]
    specs = []
    for way in ways:
        spec = datasets.without(charts.draw(name, **way))
        del spec["title"]  # the page has its own
        spec["description"] = f"{kind.title}: {kind.sentence}"  # for those who hear the page
        specs.append(spec)
    return Figure(kind.title, kind.sentence, specs, switch, on)
