"""What stands below the head of the page, section by section."""

import polars as pl

from ludus.charts.catalog import Charts
from ludus.charts.names import shown_names
from ludus.report import columns
from ludus.report.parts import Fold, Section, figure
from ludus.report.tables import Shown, matrix, table
from ludus.results import Results

MOST_ROWS = 1000
"""Of a table that is folded away: more would make the page slow, and nobody reads them there."""


def sections(results: Results) -> list[Section]:
    """The sections in their order."""
    return _Content(results).sections()


class _Content:
    def __init__(self, results: Results) -> None:
        self.results = results
        self.charts = Charts(results)
        shown = shown_names(results.agents)
        self.agents = {entrant.name: Shown(shown[entrant.name], entrant.spec) for entrant in results.tournament.agents}

    def sections(self) -> list[Section]:
        found = [self.standings(), self.meetings()]
        if self.results.seats > 1:
            found.append(self.seats())
        found.append(self.times())
        if "course" in self.charts.suitable():
            found.append(Section("Course", "", [figure(self.charts, "course")]))
        if "repetitions" in self.charts.suitable():
            found.append(self.repetitions())
        found.append(self.endings())
        return found

    def standings(self) -> Section:
        ranks = table(self.results.standings(), columns.standings(self.results.seats), self.agents)
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
            {
                1: "Ranked by the mean score; everybody plays the same seeds.",
                2: "Ranked by Bradley–Terry ratings, which know who met whom and what moving first is worth.",
            }.get(self.results.seats, "Ranked by Plackett–Luce ratings of the order in which players finished."),
            [
                ranks,
                *(figure(self.charts, name) for name in drawn),
                Fold("The field", [table(field, columns.FIELD, self.agents)], open=shortened),
            ],
        )

    def meetings(self) -> Section:
        order = self.results.order()
        if self.results.seats == 2:
            met = "moves first against"
            counts = matrix(self.results.crosstable(), order, self.agents, "first", "second", met)
            chart = figure(self.charts, "scores", "sorted", "sorted by strength", on=True)
            note = "Rows move first. The scale is the same on every page, so that tournaments can be compared."
        else:
            counts = matrix(self.results.ahead(), order, self.agents, "agent", "opponent", "against")
            chart = figure(self.charts, "ahead")
            note = "Rows against columns, on the same seeds."
            if self.results.seats > 1:
                note = "A pair is compared whatever the others did."
        return Section("Who against whom", note, [chart, Fold("Wins – ties – losses", [counts], open=len(order) <= 6)])

    def seats(self) -> Section:
        by_seat = table(self.results.by_seat(), columns.SEATS, self.agents)
        if self.results.seats == 2:
            note = (
                "W_ab is the score of a against b where a moves first. Where W_ab = W_ba, the seat decides; where "
                "W_ab = 1 − W_ba, the agent does."
            )
            single = [figure(self.charts, "first-mover"), figure(self.charts, "same-agent")]
            both = figure(self.charts, "symmetry")
            return Section("Seats", note, [by_seat, both, Fold("Each relation on its own", single)])
        places = self.results.places().pivot("place", index=["agent", "seat"], values="episodes")
        places = places.rename({str(place): f"place_{place}" for place in range(1, self.results.seats + 1)})
        shown = table(places, [columns.AGENT, columns.SEAT, *columns.places(self.results.seats)], self.agents)
        note = "Seats rotate, so that nobody gains by where it sits."
        return Section("Seats", note, [by_seat, Fold("Places by seat", [shown])])

    def times(self) -> Section:
        matches = self.results.timing("match")
        note = ""
        if len(matches) > MOST_ROWS:
            note = (
                f"The first {MOST_ROWS:,} of {len(matches):,} rows; ‘ludus export {self.results.id}’ writes them all."
            )
        by_match = columns.times_by_match(self.results.seats, self.results.tournament.repetitions)
        shared = any(sitting.workers > sitting.cores for sitting in self.results.sittings)
        return Section(
            "Strength and time",
            "More workers than cores were at work: times are longer than they would be alone." if shared else "",
            [
                figure(self.charts, "strength-speed", "log", "logarithmic axis"),
                figure(self.charts, "move-times"),
                Fold("Times by agent", [table(self.results.timing(), columns.TIMES_BY_AGENT, self.agents)]),
                Fold("Times by match", [table(matches.head(MOST_ROWS), by_match, self.agents, note=note)]),
            ],
        )

    def repetitions(self) -> Section:
        by_agent = table(self.results.stability(), columns.STABILITY, self.agents)
        by_run = table(self.results.shifts(), columns.SHIFTS, self.agents, look="narrow")
        return Section(
            "Repetitions",
            f"The whole tournament was played {self.results.tournament.repetitions:,} times, with other seeds.",
            [
                figure(self.charts, "repetitions"),
                Fold("Agent by agent", [by_agent]),
                Fold("Repetition by repetition", [by_run]),
            ],
        )

    def endings(self) -> Section:
        shown = table(self.results.endings(), columns.ENDINGS, self.agents, look="narrow")
        return Section("How episodes ended", "", [shown])
