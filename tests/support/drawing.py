"""Charts as the renderer sees them."""

import re
from typing import Any

import vl_convert

from ludus.views.charts.chart_list import Drawn


def vega(chart: Drawn) -> dict[str, Any]:
    """The chart compiled to Vega."""
    return vl_convert.vegalite_to_vega(chart.to_dict())


def rows(chart: Drawn, *fields: str) -> list[tuple[Any, ...]]:
    """These fields of the rows of every set of data that has them all, as compiled."""
    found = []
    for data in vega(chart)["data"]:
        values = data.get("values") or []
        if values and all(field in values[0] for field in fields):
            found += [tuple(row[field] for field in fields) for row in values]
    return found


def domains(chart: Drawn, channel: str) -> list[list[Any]]:
    """The domains of the scales of a channel, such as color."""
    return [scale["domain"] for scale in vega(chart)["scales"] if scale["name"].endswith(channel)]


def texts(chart: Drawn) -> list[str]:
    """Everything written into the picture."""
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    return [part.split("<")[0].split(">")[-1] for part in svg.split("<text")[1:]]


def marks(chart: Drawn, kind: str) -> list[str]:
    """Attributes of each mark of a kind, such as rect, in the picture."""
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    return re.findall(rf'aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="{kind}', svg)


def png_size(chart: Drawn) -> tuple[int, int]:
    """Width and height of the chart as a picture."""
    picture = vl_convert.vegalite_to_png(chart.to_dict())
    assert picture.startswith(b"\x89PNG")
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")
