"""The documentation as a site: `make docs` builds it into build/docs."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from ludus.core.version import __version__

DOCS = Path(__file__).parent

project = "Ludus"
version = release = __version__
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["examples", "images", "results"]

default_role = "code"  # of `words` in docstrings
myst_heading_anchors = 4  # named as code hosts name them
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "Ludus"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = html_show_copyright = False

BESIDE = {"README": "overview", "CONTRIBUTING": "contributing", "CHANGELOG": "changelog"}
"""Pages of the repository that lie beside this folder, and the pages that show them in the site."""


def _adapt(app: Sphinx, page: str, source: list[str]) -> None:
    """Show the pages beside this folder, lead links to them there, and make the navigation from the index."""
    text = source[0]
    for name, shown in BESIDE.items():
        if page == shown:
            text = (DOCS.parent / f"{name}.md").read_text(encoding="utf-8").replace("](docs/", "](")
        text = re.sub(rf"\]\((\.\./)*{name}\.md", f"](/{shown}.md", text)
    if page == root_doc:
        text += "".join(_navigation(text))
    if page == "api":
        text = "\n## ".join(section + _documented(section) for section in text.split("\n## "))
    source[0] = text


def _navigation(index: str) -> Iterator[str]:
    """The parts of the navigation: the sections of the index, with the pages that they link to."""
    for section in index.split("\n## ")[1:]:
        links = re.findall(r"\[([^]]+)\]\(/?([\w/-]+)\.md", section)
        lines = [f":caption: {section.splitlines()[0]}", ":hidden:", "", *(f"{name} </{page}>" for name, page in links)]
        yield "\n".join(["\n```{toctree}", *lines, "```\n"])


DIRECTIVES = {"Functions": "autofunction", "Classes": "autoclass", "Errors": "autoexception"}
"""The directive for the names in each section of the Python reference."""


def _documented(section: str) -> str:
    """The names that a section of the Python reference lists, with all that their docstrings say."""
    directive = DIRECTIVES.get(section.splitlines()[0])
    if directive is None:
        return ""
    options = "   :members:\n   :inherited-members: Configurable, Exception, Sequence, Struct, object\n"
    blocks = [
        f".. {directive}:: {name}\n{options if directive == 'autoclass' else ''}"
        for name in re.findall(r"^\| `(ludus\.\w+)` \|", section, re.MULTILINE)
    ]
    return "\n".join(["\n\n```{eval-rst}", *blocks, "```\n"])


def _quote_bars(app: Sphinx, what: str, name: str, object: Any, options: Any, lines: list[str]) -> None:
    """Keep bars in docstrings, which reStructuredText takes for substitutions."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", _adapt)
    app.connect("autodoc-process-docstring", _quote_bars)
