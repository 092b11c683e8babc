"""The site of the documentation: it builds without a warning, can be searched, and loads nothing from elsewhere."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludus
from support.places import ROOT

pytestmark = pytest.mark.slow
pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", ROOT / "docs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def links(page: str) -> Iterator[str]:
    """Addresses of what a page loads or leads to."""
    yield from re.findall(r'\b(?:src|href)="([^"]+)"', page)


def test_every_page_loads_only_files_of_the_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|source|iframe)[^>]*\bsrc="([^"]+)"', text)
        loaded += re.findall(r'<link(?=[^>]*rel="(?:stylesheet|preload|icon)")[^>]*href="([^"]+)"', text)
        assert loaded
        for address in loaded:
            assert (page.parent / address.partition("?")[0]).is_file(), f"{page.name}: {address}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"@import|url\(\s*['\"]?https?:", sheet.read_text(encoding="utf-8")), sheet


def test_every_page_is_in_the_navigation_of_the_index(site: Path) -> None:
    listed = {address.partition("#")[0] for address in links((site / "index.html").read_text(encoding="utf-8"))}
    written = {str(page.relative_to(ROOT / "docs").with_suffix(".html")) for page in (ROOT / "docs").rglob("*.md")}
    assert written - {"index.html"} <= listed


def test_pages_and_their_words_are_in_the_index_of_the_search(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for page in ("glossary", "start/organiser", "api", "commands"):
        assert f'"{page}"' in index
    for stem in ("pentanomi", "knockout", "notfounderror"):
        assert stem in index


def test_reference_documents_public_functions_and_classes(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    documented = {name.removeprefix("ludus.") for name in re.findall(r'id="(ludus\.\w+)"', page)}
    assert {name for name in ludus.__all__ if callable(getattr(ludus, name))} - {"Duration"} <= documented
    assert 'id="ludus.Agent.choose"' in page
