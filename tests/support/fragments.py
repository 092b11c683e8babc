"""The parts of a result that a notebook shows: the text, tables and pictures of a fragment of HTML."""

import base64
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

_VOID = ("img", "progress")


class Fragment(HTMLParser):
    """A fragment, read strictly: every element must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.pictures: list[tuple[str, bytes, str]] = []
        """Type, content and words of each picture."""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    @property
    def text(self) -> str:
        """All text outside the style."""
        return " ".join(" ".join(self.texts).split())

    def rows(self, number: int = 0) -> list[dict[str, str]]:
        """The rows of a table, by the heads of its columns."""
        head, *rows = self.tables[number]
        return [dict(zip(head, row, strict=True)) for row in rows]

    def svg(self, number: int = 0) -> str:
        """The text in a picture that is SVG."""
        kind, content, _ = self.pictures[number]
        assert kind == "image/svg+xml"
        return svg_text(content.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag == "img":
            kind, _, content = str(found["src"]).removeprefix("data:").partition(";base64,")
            self.pictures.append((kind, base64.b64decode(content, validate=True), str(found["alt"])))
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.texts.append(data)
        if self._open and self._open[-1] in ("th", "td"):
            self.tables[-1][-1][-1] += data


def svg_text(source: str) -> str:
    """All text in a picture, which must be well-formed."""
    root = ET.fromstring(source)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return " ".join(root.itertext())
