"""Plain English: docstrings that name their subject, and no word that reads like a translation.

`make check` runs this module.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HEADLESS = {"as", "how", "it", "says", "tells", "what", "when", "where", "whether", "which", "who", "whom", "whose"}
"""First words of docstrings that name no subject."""

WORDS = {
    r"(?:a|each|one|no|single) blank(?! line)|blanks": "space",
    r"a meeting": "pairing",
    r"all is well": "passed",
    r"any more(?=[.,;:)\"']|$)": "no longer",
    r"by lot": "at random",
    r"(?:fall|falls|fell|fallen) out": "is disqualified",
    r"for who(?!\[| in\b)": "for the player that",
    r"hears? (?:how|that|what|whether)": "reads, receives",
    r"heed(?:s|ed|ing|less)?": "use, observe",
    r"in (?:its|the|their) hands": "in use by",
    r"let(?:s|ting)? go": "release",
    r"learnt": "learned, learning",
    r"mend(?:s|ed|ing)?": "fix",
    r"mind:": "Warning:",
    r"no more than that": "no others",
    r"(?<!there )(?:is|was) no (?!different\b|longer\b|matter\b|more\b|one\b|such\b)\w+": "is not a",
    r"\w+ed no more": "no longer",
    r"(?-i:Only) (?:what|who|whom)": "Only the player that",
    r"perhaps you mean": "did you mean",
    r"seldom(?:ly)?": "rarely",
    r"so (?:long|many|much) (?!as\b|that\b)\w+": "this many, this long",
    r"so long(?=[.,;:!?)\"']|$)": "that long",
    r"spoilt": "void, without a result",
    r"(?:take|takes|took) (?:its|their) time": "is slow",
    r"tells? how": "describes",
    r"there (?:is|are) to be": "planned",
    r"the machine's fault": "because of the machine",
    r"to begin with": "first, starter",
    r"(?:the )?dice have their say": "chance decides",
    r"wanted no more": "no longer needed",
    r"what there is": "the existing ones",
    r"who(?:m)?(?:so)?ever": "the player that",
    r"(?:is|are) to be(?! \w+(?:ed|n|t)\b)": "will be",
}
"""Patterns of words, with the plain ones."""

_FOUND = re.compile("|".join(rf"(?P<w{i}>\b{pattern})(?!\w)" for i, pattern in enumerate(WORDS)), re.IGNORECASE)


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """The comments and the string literals of a Python module, each with its line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield token.start[0], token.string


def relapses(text: str) -> list[str]:
    """The translated words in a text, each with the plain one."""
    found = ((match[0], next(i for i in range(len(WORDS)) if match[f"w{i}"])) for match in _FOUND.finditer(text))
    return [f"'{word}': write {list(WORDS.values())[i]}" for word, i in found]


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings of a Python module, those of fields and constants included, each with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def our_files() -> list[Path]:
    """The files with texts, without this one, which lists what the others must not say."""
    folders = ("benchmarks", "bots", "changelog.d", "docs", "examples", "src", "tests")
    kinds = (".c", ".cpp", ".css", ".html", ".java", ".js", ".md", ".py", ".rs", ".toml")
    files = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    return [path for path in files if path.suffix in kinds or path.name == "Makefile" if path != Path(__file__)]


def test_texts_use_plain_words() -> None:
    wrong = []
    for path in our_files():
        content = path.read_text(encoding="utf-8")
        texts = texts_of(content) if path.suffix == ".py" else enumerate(content.splitlines(), 1)
        wrong += [f"{path}:{line}: {words}" for line, text in texts for words in relapses(text)]
    assert not wrong, "\n".join(wrong)


def test_docstrings_name_their_subject() -> None:
    wrong = [
        f"{path}:{line}: {text.splitlines()[0]}"
        for path in our_files()
        if path.suffix == ".py"
        for line, text in docstrings(path.read_text(encoding="utf-8"))
        if text.split() and text.split()[0].lower() in HEADLESS
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "Mind: it is slow.",
        "this is no game",
        "whoever moves",
        "after so many rounds",
        "not there any more.",
        "it must last so long.",
        "Only who slows down survives.",
        "cells for who goes along the walls",
        "text without blanks",
        "a blank and a letter",
    ],
)
def test_translated_words_are_found(text: str) -> None:
    assert len(relapses(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "There is no file.",
        "it is no longer there",
        "so many that it fits",
        "amend",
        "so long as it runs",
        "Show only what agents reported",
        "for who in players",
        "a blank line",
        "meetings",
    ],
)
def test_plain_words_are_not(text: str) -> None:
    assert relapses(text) == []
