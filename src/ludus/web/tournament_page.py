"""The page of a tournament at one state of the store: its pieces come as they are computed, and then stay."""

import gzip
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from threading import Condition, Event
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.source_notes import noted
from ludus.core.spec import Spec
from ludus.views.charts.vega import vega
from ludus.views.facts import facts
from ludus.views.page.head import colophon, lead
from ludus.views.page.html_tables import Table
from ludus.views.page.parts import Fold, Later, Part, Section, slug
from ludus.views.page.sections import Content
from ludus.views.result_tables import by_rounds
from ludus.web.held import HeldResults
from ludus.web.links import SiteLinks
from ludus.web.live.hub import Hub
from ludus.web.progress import Progress
from ludus.web.rendering import framed, templates

_MOST_ROWS = 100
"""Rows of a table that are on the page itself; the rest is loaded on request."""


class TournamentPage:
    """The page of one tournament."""

    def __init__(self, held: HeldResults, script: Callable[[], str], hub: Hub) -> None:
        self.stamp = held.stamp
        self.tag = held.tag
        self.parts: dict[str, str] = {}
        """Details that are loaded on request, by name."""
        self.packed = b""
        """The whole page, compressed, once it is complete."""
        self._held = held
        self._script = script
        self._hub = hub
        self._pieces: list[str] = []
        self._buffer: list[str] = []
        self._is_complete = False
        self._changed = Condition()

    @property
    def is_complete(self) -> bool:
        """True if all of it is there."""
        return self._is_complete

    def compute(self) -> None:
        """Compute all pieces; readers get each as soon as it is there."""
        try:
            with ExitStack() as stack:
                content = self._content(lambda: stack.enter_context(self._held.lock))
                for text in templates().get_template("tournament.html").generate(content):
                    self._buffer.append(text)
        except LudusError as error:
            self._buffer.append(templates().get_template("broken_page.html").render(sentence=str(error)))
        finally:
            self._publish(complete=True)
        self.packed = gzip.compress("".join(self._pieces).encode(), 6)

    def stream(self) -> Iterator[bytes]:
        """The pieces, each as soon as it is there."""
        sent = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda sent=sent: self._is_complete or len(self._pieces) > sent)  # type: ignore[misc]
                pieces, is_last = self._pieces[sent:], self._is_complete
            sent += len(pieces)
            if pieces:
                yield "".join(pieces).encode()
            if is_last:
                return

    def _publish(self, complete: bool = False) -> None:
        with self._changed:
            self._pieces.append("".join(self._buffer))
            self._buffer.clear()
            self._is_complete = complete
            self._changed.notify_all()

    def _content(self, lock: Callable[[], Any]) -> dict[str, Any]:
        """The content; what takes long is computed when the template asks for it, after it has begun the results."""
        results = self._held.results

        def begin_results() -> str:
            self._publish()
            lock()
            return ""

        content = Content(results, chart_addresses(results.id), SiteLinks(results.id, results.tournament))
        return framed(f"/tournaments/{results.id}", results.tournament.name) | {
            "results": results,
            "summary": results.summary,
            "progress": Progress(results, self.stamp, self._hub),
            "begin_results": begin_results,
            "lead": lambda: lead(results) if self.stamp.episodes else [],
            "facts": lambda: [*facts(results)],
            "colophon": lambda: colophon(results),
            "sections": lambda: self._sections(content) if self.stamp.episodes else [],
            "games": lambda: games_ending(results.tournament.game),
            "charts": self._script,
            "no_charts": no_charts(),
        }

    def _sections(self, content: Content) -> Iterator[Section]:
        self._publish()
        for section in content.sections():
            yield replace(section, parts=[*self._light(section.parts, section.name)])
            self._publish()

    def _light(self, parts: Any, place: str) -> Iterator[Part]:
        """The parts with long tables cut, and their details kept to be loaded later."""
        for part in parts:
            if isinstance(part, Table) and len(part.rows) > _MOST_ROWS:
                name = self._kept(part, f"{place}-rows")
                yield replace(part, rows=part.rows[:_MOST_ROWS], note="")
                yield Later(f"All {len(part.rows):,} rows", f"{self._address}/{name}", instead=True)
            elif isinstance(part, Fold) and _rows(part) > _MOST_ROWS:
                name = self._kept(part, slug(part.title))
                yield Later(part.title, f"{self._address}/{name}")
            else:
                yield part

    @property
    def _address(self) -> str:
        return f"/tournaments/{self._held.results.id}/parts"

    def _kept(self, part: Table | Fold, name: str) -> str:
        while name in self.parts:
            name += "-more"
        inner = part.parts if isinstance(part, Fold) else [part]
        render = templates().get_template("part.html").module.render  # type: ignore[attr-defined]
        self.parts[name] = "".join(render(each) for each in inner)
        return name


def _rows(part: Part) -> int:
    if isinstance(part, Table):
        return len(part.rows)
    return sum(map(_rows, part.parts)) if isinstance(part, Fold) else 0


class Standings:
    """The parts of a tournament's page that change while it is played, as one fragment of HTML."""

    def __init__(self, held: HeldResults, hub: Hub, running: bool) -> None:
        self.stamp = held.stamp
        self.running = running
        self.tag = f"{held.tag}{'-running' if running else ''}"
        self.html = ""
        self.ready = Event()
        self._held = held
        self._hub = hub

    def compute(self) -> None:
        """Compute it."""
        try:
            self._compute()
        finally:
            self.ready.set()

    def _compute(self) -> None:
        with self._held.lock:
            results = self._held.results
            content = Content(results, chart_addresses(results.id), SiteLinks(results.id, results.tournament))
            has_results = bool(self.stamp.episodes)
            tables = {"standings": _first_table(content.standings())} if has_results else {}
            if has_results and by_rounds(results):
                rounds = content.rounds()
                tables[rounds.name] = _first_table(rounds)
            self.html = (
                templates()
                .get_template("standings.html")
                .render(
                    results=results,
                    progress=Progress(results, self.stamp, self._hub),
                    lead=lead(results) if has_results else [],
                    facts=[*facts(results)],
                    tables={name: table for name, table in tables.items() if table},
                )
            )


def _first_table(section: Section) -> Table | None:
    table = next((part for part in section.parts if isinstance(part, Table)), None)
    return table and replace(table, rows=table.rows[:_MOST_ROWS])


def chart_addresses(id: int) -> Callable[[str, Mapping[str, bool]], Any]:
    """A way of drawing charts for a page that loads each when it comes into view."""

    def draw(name: str, options: Mapping[str, bool]) -> dict[str, Any]:
        query = "".join(f"?{option}=yes" for option in options)
        return {"address": f"/tournaments/{id}/charts/{name}", "query": query, "name": name}

    return draw


def no_charts() -> str:
    """A sentence if charts cannot be drawn; empty if they can."""
    try:
        vega()
    except LudusError as error:
        return str(error)
    return ""


def games_ending(game: str) -> str:
    """The ending of a file with the games for other programs, such as .pgn; empty if there is none."""

    def ending() -> str:
        from ludus.games.game import game_from  # imports the compiler, which is slow

        try:
            notation = game_from(game).notation()
        except LudusError:
            return ""
        return notation.written if notation else ""

    spec = Spec.parse(game)
    return ending() if spec.file else str(noted(f"ending of games of {game}", ending))
