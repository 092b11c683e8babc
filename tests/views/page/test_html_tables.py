import polars as pl

from ludus.views.column import Column
from ludus.views.page.html_tables import Cell, Shown, matrix, table

FRAME = pl.DataFrame({"agent": ["a", "b", "c"], "score": [0.5, 0.9, None], "time": [3, 1, 2], "same": [4, 4, 4]})
COLUMNS = (
    Column("agent", "agent", words=True, agents=True),
    Column("missing", "missing"),
    Column("score", "score", "how well", lambda value: f"{value:.1f}", best="highest"),
    Column("time", "time", best="lowest"),
    Column("same", "same", best="highest"),
)
AGENTS = {name: Shown(name, f"spec of {name}") for name in "abc"}


def test_table_shows_the_columns_that_the_frame_has() -> None:
    shown = table(FRAME, COLUMNS, AGENTS)
    assert [head.text for head in shown.heads] == ["agent", "score", "time", "same"]
    assert [cell.text for cell in shown.rows[0]] == ["a", "0.5", "3", "4"]
    assert shown.rows[2][1].text == "–"


def test_best_value_of_a_column_is_set_off_unless_all_are_the_same() -> None:
    shown = table(FRAME, COLUMNS, AGENTS)
    assert [[cell.look for cell in row] for row in shown.rows] == [
        ["", "", "", ""],
        ["", "best", "best", ""],
        ["", "", "", ""],
    ]


def test_names_stand_as_they_are_shown_and_tell_more() -> None:
    shown = table(FRAME, COLUMNS, AGENTS | {"a": Shown("A", "more about a")})
    assert shown.rows[0][0] == Cell("A", "more about a")
    assert shown.rows[1][0] == Cell("b", "spec of b")


def test_shortened_text_has_a_tooltip() -> None:
    column = Column("said", "said", write=lambda text: text.split()[0], words=True)
    assert table(pl.DataFrame({"said": ["a\nb"]}), [column], {}).rows == [(Cell("a", "a\nb"),)]


def pairs(names: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        [(names[0], names[1], 4, 3, 1, 0, 0.875)],
        ["first", "second", "episodes", "wins", "ties", "losses", "score"],
        orient="row",
    )


def test_matrix_counts_wins_ties_and_losses_where_a_pair_met() -> None:
    shown = matrix(pairs(["a", "b"]), ["b", "a"], AGENTS, "first", "second", "moves first against")
    assert [head.text for head in shown.heads] == ["", "b", "a"]
    assert shown.rows[1][1] == Cell("3–1–0", "a moves first against b: score 87.5 % of 4 episodes", "win-7")
    assert shown.rows[0][2] == Cell("", "", "")
    assert shown.rows[0][1].look == "self"


def test_wide_matrix_has_numbers_at_the_top_that_its_rows_explain() -> None:
    names = [f"agent-{letter}" for letter in "abcdefgh"]
    agents = {name: Shown(name, "") for name in names}
    shown = matrix(pairs(names), names, agents, "first", "second", "moves first against")
    assert [head.text for head in shown.heads][1:] == list("12345678")
    assert shown.heads[1].tip == "agent-a"
    assert shown.rows[1][0].text == "2 agent-b"
