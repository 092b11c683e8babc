from itertools import pairwise

import pytest

from ludus.stats.results import Results
from ludus.views.rounds import bracket, final, halves, wall_chart


@pytest.mark.parametrize(("points", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (2.5, "2½"), (0.25, "0.25")])
def test_points_are_written_with_halves(points: float, text: str) -> None:
    assert halves(points) == text


def test_each_winner_is_level_with_the_pairing_that_it_won(knockout: Results) -> None:
    drawn = bracket(knockout.rounds())
    assert [round.name for round in drawn] == ["quarter-finals", "semi-finals", "final"]
    assert [len(round.meetings) for round in drawn] == [1, 2, 1]  # three of five agents have a bye
    for before, after in pairwise(drawn):
        entries = {entry.agent: entry.row for meeting in after.meetings for entry in meeting.entries}
        for meeting in before.meetings:
            winner = next(entry.agent for entry in meeting.entries if entry.won)
            assert entries[winner] == meeting.row


def test_no_two_entries_of_a_round_share_a_row(knockout: Results) -> None:
    for round in bracket(knockout.rounds()):
        rows = [entry.row for meeting in round.meetings for entry in meeting.entries]
        assert rows == sorted(set(rows))


def test_the_final_is_named(knockout: Results) -> None:
    decided = final(knockout.rounds(), 1)
    assert decided is not None
    assert [decided.winner, decided.loser] == knockout.order()[:2]
    assert final(knockout.rounds().filter(round=1), 1) is None


def test_a_wall_chart_agrees_from_both_sides(swiss: Results) -> None:
    chart = wall_chart(swiss, 1)
    rows = {row["rank"]: row for row in chart.iter_rows(named=True)}
    opposite = {"+": "−", "−": "+", "=": "="}
    byes = 0
    for rank, row in rows.items():
        for column in chart.columns[2:]:
            if row[column] == "bye":
                byes += 1
            else:
                sign, opponent = row[column][0], int(row[column][1:])
                assert rows[opponent][column] == f"{opposite[sign]}{rank}"
    assert byes == len(chart.columns[2:])
