"""The sections of the page."""

from collections.abc import Iterator

import polars as pl
from markupsafe import Markup

from ludus.stats.results import Results
from ludus.views.charts.chart_list import KINDS, Charts
from ludus.views.columns import wall_chart as wall_chart_columns
from ludus.views.move_columns import FIELD
from ludus.views.page.html_tables import NO_LINKS, Links, Table, agents_of, matrix, table
from ludus.views.page.parts import Datasets, Draw, Figure, Fold, Part, Section, embedding, figure
from ludus.views.result_tables import TABLES, by_rounds
from ludus.views.rounds import WALL_CHART, repetitions, wall_chart

MOST_ROWS = 1000
"""Maximum rows of a collapsed table: more would make the page slow."""


MOST_AGENTS = 100
"""Maximum agents of pairwise maps and tables: more would make the page slow."""


SMALL_FIELDS = ("scores", "ahead", "first-mover", "same-agent", "symmetry", "course")
"""Charts that the pages of large fields leave out: all agents against each other, and the course of all ratings."""


MOST_RECORDS = 20_000
"""Maximum records to read for one page; ‘ludus results --metrics’ shows those of larger tournaments."""
MOST_IN_NASH = 50
"""Maximum agents for Nash averaging: with more, the mixture takes seconds to compute."""


class Content:
    """The sections, and then the data of their charts, unless `draw` makes charts that do not need them.

    `links` has the addresses of agents and episodes, if they have pages.
    """

    def __init__(self, results: Results, draw: Draw | None = None, links: Links = NO_LINKS) -> None:
        self.results = results
        self.charts = Charts(results)
        self.datasets = Datasets()
        self.links = links
        self._draw = draw or embedding(self.charts, self.datasets)
        self.large = len(results.agents) > MOST_AGENTS
        self.agents = agents_of(results.tournament.agents)

    def sections(self) -> Iterator[Section]:
        """The sections in order, each computed when it is asked for."""
        yield self.standings()
        yield self.rounds() if by_rounds(self.results) else self.meetings()
        if len(self.results.departures()):
            yield Section(TABLES["departures"].title, "", [self._table("departures", "narrow")])
        if self.results.seats > 1:
            yield self.seats()
        yield self.times()
        if "course" in self.charts.suitable():
            left_out = self._left_out("course", "The course of the ratings of {:,} agents") if self.large else ""
            yield Section("Course", left_out, [] if self.large else [self._figure("course")])
        if "repetitions" in self.charts.suitable():
            yield self.repetitions()
        yield self.endings()

    def standings(self) -> Section:
        drawn = [name for name in ("ratings", "points", "places") if name in self.charts.suitable()]
        field = pl.DataFrame(
            [
                (k, entrant.name, entrant.name, entrant.spec)
                for k, entrant in enumerate(self.results.tournament.agents, 1)
            ],
            ["number", "agent", "name", "spec"],
            orient="row",
        )
        if all(name in (agent.text, agent.tip) for name, agent in self.agents.items()):
            field = field.drop("name")  # the other columns have it
        shortened = any(name != agent.text for name, agent in self.agents.items())
        return Section(
            "Standings",
            "",
            [
                self._table("standings"),
                *(self._figure(name) for name in drawn),
                Fold("The field", [table(field, FIELD, self.agents, links=self.links)], open=shortened),
            ],
        )

    def rounds(self) -> Section:
        listed = Fold("All pairings", [self._table("rounds")])
        if "bracket" in self.charts.suitable():
            return Section("Bracket", "", [self._figure("bracket"), listed])
        parts: list[Part] = []
        for repetition in repetitions(found := self.results.rounds()):
            columns = wall_chart_columns(max(found.filter(repetition=repetition)["round"]))
            shown = table(wall_chart(self.results, repetition), columns, self.agents, look="narrow", links=self.links)
            repeated = self.results.tournament.repetitions > 1
            parts.append(Fold(f"Repetition {repetition}", [shown], open=True) if repeated else shown)
        return Section("Rounds", WALL_CHART, [*parts, listed])

    def meetings(self) -> Section:
        if self.large:
            return Section("Pairwise results", self._left_out("scores" if self.results.seats == 2 else "ahead"), [])
        order = self.results.order()
        if self.results.seats == 2:
            met = "moves first against"
            counts = matrix(self.results.crosstable(), order, self.agents, "first", "second", met, self.links)
            chart = self._figure("scores", "sorted", "sorted by strength", on=True)
            note = "Rows move first. The scale is the same on every page, so tournaments can be compared."
        else:
            counts = matrix(self.results.ahead(), order, self.agents, "agent", "opponent", "against", self.links)
            chart = self._figure("ahead")
            note = "Rows against columns, on the same seeds."
            if self.results.seats > 1:
                note = "Results of a pair count whatever the others' places."
        folds = [Fold("Wins – ties – losses", [counts], open=len(order) <= 6)]
        if self.results.seats == 2 and len(order) <= MOST_IN_NASH and len(self.results.nash()):
            folds.append(self._fold("nash"))
        return Section("Pairwise results", note, [chart, *folds])

    def seats(self) -> Section:
        by_seat = self._table("by_seat")
        if by_rounds(self.results):
            return Section("Seats", "", [by_seat])
        if self.results.seats == 2 and self.large:
            return Section("Seats", self._left_out("symmetry"), [by_seat])
        if self.results.seats == 2:
            note = (
                "W_ab is the score of a against b if a moves first. If W_ab = W_ba, the seat decides; if "
                "W_ab = 1 − W_ba, the agent does."
            )
            single = [self._figure("first-mover"), self._figure("same-agent")]
            both = self._figure("symmetry")
            repeated = [self._fold("symmetry")] if self.results.complete_repetitions[1:] else []
            return Section("Seats", note, [by_seat, both, Fold("Each relation on its own", single), *repeated])
        note = "Seats rotate, so that no agent gains from its seat." if self.results.seats_rotate else ""
        return Section("Seats", note, [by_seat, self._fold("places")])

    def times(self) -> Section:
        shared = any(sitting.workers > sitting.cores for sitting in self.results.sittings)
        notes = [Markup("There were more workers than cores, so times are longer than usual.")] if shared else []
        if self.large:
            command = _command(f"ludus results {self.results.id} --matches")
            notes.append(Markup("‘{}’ has the times by match.").format(command))
        return Section(
            "Strength and time",
            Markup(" ").join(notes),
            [
                self._figure("strength-speed", "log", "logarithmic axis"),
                self._figure("move-times"),
                self._fold("timing"),
                *([] if self.large else [self._fold("timing_by_match")]),
                *self._from_records("metrics"),
                *self._from_records("usage"),
            ],
        )

    def repetitions(self) -> Section:
        planned, complete = self.results.tournament.repetitions, len(self.results.complete_repetitions)
        note = f"The whole tournament was played {planned:,} times, with different seeds."
        if complete < planned:
            note = f"The whole tournament is played {planned:,} times, with different seeds: {complete:,} times so far"
            note += "; the incomplete rest is left out here." if complete else "."
        if not complete:
            return Section("Repetitions", note, [])
        return Section(
            "Repetitions", note, [self._figure("repetitions"), self._fold("stability"), self._fold("shifts")]
        )

    def endings(self) -> Section:
        faults = self._from_records("faults") if self.results.timing()["faults"].sum() else []
        remarks = self._from_records("remarks") if self.results.has_bots else []
        return Section(TABLES["endings"].title, "", [self._table("endings", "narrow"), *faults, *remarks])

    def _table(self, name: str, look: str = "") -> Table:
        """The table of results with its name in JSON; only the first rows of a long one."""
        declared = TABLES[name]
        frame = declared.arranged(declared.frame(self.results))
        note = declared.note(self.results, frame) if len(frame) else ""
        if len(frame) > MOST_ROWS:
            note += Markup(" The first {:,} of {:,} rows; ‘{}’ writes them all.").format(
                MOST_ROWS, len(frame), _command(f"ludus results {self.results.id} --{declared.option} --json")
            )
        columns, shown = declared.columns(self.results), frame.head(MOST_ROWS)
        return table(shown, columns, self.agents, note=note, look=look, links=self.links)

    def _fold(self, name: str) -> Fold:
        return Fold(TABLES[name].title, [self._table(name)])

    def _from_records(self, name: str) -> list[Fold]:
        """A table that needs all records, which are slow to read in large tournaments."""
        if self.results.played > MOST_RECORDS or not (found := self._table(name)).rows:
            return []
        return [Fold(TABLES[name].title, [found])]

    def _figure(self, name: str, option: str = "", switch: str = "", on: bool = False) -> Figure:
        return figure(self._draw, name, option, switch, on)

    def _left_out(self, chart: str, what: str = "A map of {:,} agents against each other") -> str:
        order = " --sort rating" if "sorted" in KINDS[chart].options else ""
        return Markup(f"{what} would make this page slow: ‘{{}}’ draws it.").format(
            len(self.results.agents), _command(f"ludus results {self.results.id} --chart {chart}{order} -o {chart}.png")
        )


def _command(text: str) -> Markup:
    """A command, kept on one line."""
    return Markup(" ").join(Markup("<code>{}</code>").format(part) for part in text.split())
