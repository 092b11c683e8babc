"""Pages of HTML as a browser parses them."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """A page as a browser parses it: elements with attributes, texts, rows of tables, and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[str | None, str]] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self._inside: list[str] = []
        self._in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        self._in_cell = tag in ("th", "td") or (self._in_cell and tag != "table")
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._inside.append("")
        self._in_cell = self._in_cell and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] == "script":
            self.scripts.append((self.elements[-1][1].get("type"), data))
        else:
            self.text += data
            if self._in_cell:
                self.rows[-1][-1] += data.strip()

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements with a tag."""
        return [attributes for name, attributes in self.elements if name == tag]
