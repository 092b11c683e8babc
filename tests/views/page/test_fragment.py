import polars as pl

from ludus.views.column import Column
from ludus.views.page.fragment import Folded, Picture, fragment
from ludus.views.page.html_tables import table
from support.fragments import Fragment

TABLE = table(pl.DataFrame({"a": [1, 2]}), [Column("a", "count", best="highest")], {}, note="Two rows.")


def test_fragment_has_its_parts_in_order() -> None:
    shown = Fragment(fragment("Title", "A sentence.", TABLE, "", Folded("More", TABLE), "The end."))
    assert shown.text == "Title A sentence. count 1 2 Two rows. More count 1 2 Two rows. The end."
    assert shown.rows() == shown.rows(1) == [{"count": "1"}, {"count": "2"}]


def test_pictures_are_images_of_their_own_with_words_for_those_who_do_not_see_them() -> None:
    shown = Fragment(fragment("Title", Picture(b"<svg/>", 'a "board"', 10)))
    assert shown.pictures == [("image/svg+xml", b"<svg/>", 'a "board"')]


def test_texts_are_no_markup() -> None:
    assert Fragment(fragment("<b>", "a < b & c")).text == "<b> a < b & c"


def test_style_touches_nothing_else_in_the_notebook() -> None:
    style = fragment("").partition("<style>")[2].partition("</style>")[0]
    selectors = [part.rpartition("}")[2].rpartition("*/")[2] for part in style.split("{")[:-1]]
    assert len(selectors) > 5
    assert all(one.strip().startswith(".ludus") for selector in selectors for one in selector.split(","))
