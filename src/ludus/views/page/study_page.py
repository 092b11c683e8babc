"""A study as one page that works offline."""

from collections.abc import Mapping, Sequence

from ludus.core.text import decimal, margin
from ludus.tournaments.tournament import Entrant
from ludus.views.charts.theme import framed
from ludus.views.column import with_derived
from ludus.views.page.html_tables import Cell, Head, Shown, Table, agents_of, table
from ludus.views.page.page import rendered
from ludus.views.page.parts import Datasets, Figure, Section
from ludus.views.study_views import Study, StudyMatrix

_PLAIN, _DARKEST = 4, 4  # of the looks of a matrix: the middle one, and the number on either side


def render_study(study: Study, title: str, field: Sequence[Entrant]) -> str:
    """A study of a tournament with these agents as a page of HTML that loads nothing from the network."""
    agents, datasets = agents_of(field), Datasets()
    tables = [
        Section(part.title, "", [table(with_derived(part.frame, part.columns), part.columns, agents, note=part.note)])
        for part in study.tables
        if part.columns
    ]
    matrices = [Section(part.title, part.note, [_matrix(part, study.order, agents)]) for part in study.matrices]
    figures: list[Section] = []
    for part in study.figures:
        spec = datasets.without(framed(part.draw()))
        spec.pop("title", None)  # the page has its own
        spec["description"] = f"{part.title}: {part.sentence}"  # for screen readers
        figures.append(Section(part.title, "", [Figure("", part.sentence, [spec])]))
    return rendered(
        "study.html",
        f"{study.title}: {title}" if title else study.title,
        study=study,
        subject=title,
        sections=[*tables, *figures, *matrices],
        datasets=datasets,
    )


def _matrix(matrix: StudyMatrix, order: Sequence[str], agents: Mapping[str, Shown]) -> Table:
    """Means with their deviations, in the colours of wins and losses."""
    rows = []
    for number, first in enumerate(order, 1):
        line = [Cell(f"{number} {agents[first].text}", agents[first].tip)]
        for second in order:
            if (first, second) not in matrix.cells:
                line.append(Cell("", "", "self" if first == second else ""))
                continue
            mean, deviation = matrix.cells[first, second]
            text = decimal(mean, 2)
            tip = text if deviation is None else f"{text} {margin(deviation, 2)}"
            line.append(Cell(tip, f"{agents[first].text} and {agents[second].text}", _look(mean)))
        rows.append(line)
    numbered = (Head(str(number), agents[name].text) for number, name in enumerate(order, 1))
    return Table([Head("", "", False, True), *numbered], rows, look="matrix")


def _look(mean: float) -> str:
    return f"win-{_PLAIN + round(_DARKEST * max(-1.0, min(1.0, mean)))}"
