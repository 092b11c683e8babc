"""The pages that are written from declarations are current."""

import pytest

from ludus.core.user_file import import_file
from support.places import ROOT


@pytest.mark.parametrize("name", ["api.md", "commands.md", "tournament-files.md"])
def test_page_is_what_the_declarations_say(name: str) -> None:
    file = ROOT / "docs" / name
    pages = import_file(str(ROOT / "docs" / "reference.py")).pages()
    assert file.read_text(encoding="utf-8") == pages[file], "run python docs/reference.py"
