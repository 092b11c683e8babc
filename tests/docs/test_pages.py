"""Every command and every example of the documentation is carried out; `support/pages.py` says how."""

from pathlib import Path

import pytest

from support.pages import LANGUAGES, NOTES, Page, examples, pages


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in pages() if examples(page)])
def test_every_example_of_the_page_works(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Page(page, tmp_path, monkeypatch).carry_out()


@pytest.mark.parametrize("page", pages())
def test_every_example_says_what_it_is(page: str) -> None:
    for example in examples(page):
        assert example.language in LANGUAGES, f"line {example.line}"
        assert example.note in ("", *NOTES), f"line {example.line}"
        assert example.note != "not run" or len(example.about) > 10, f"line {example.line}: without a reason"
