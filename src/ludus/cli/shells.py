"""Answers to shells that complete: their question is in the environment, as the scripts that Typer installs ask it."""

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ludus.cli.commands import known_commands
from ludus.cli.outline import outline
from ludus.cli.suggestions import Suggestion, suggestions

_CURSOR = "\0"  # which is in no environment
_OPEN = ("=", "/")
"""Endings after which more follows, so that no space is due."""


class Question(NamedTuple):
    """The words before the cursor, and the one at it: without quotes, and as typed if the shell says so."""

    words: Sequence[str]
    incomplete: str
    typed: str = ""


def answer() -> None:
    """Write what can come next and exit; after any error, nothing, for it would appear in the middle of a line."""
    try:
        status = _answer()
    except BaseException:  # Ctrl-C, too
        status = 1
    sys.exit(status)


def _answer() -> int:
    shell = os.environ["_LUDUS_COMPLETE"].removeprefix("complete_")
    read, write = _SHELLS[shell]
    question = read(os.environ)
    printed = io.StringIO()  # by a plugin, which the shell would take for an answer
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        found = _found(question)
    if shell == "fish" and os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return 0 if found else 1
    sys.stdout.write(write(found, question))
    sys.stdout.flush()
    return 0


def _found(question: Question) -> list[Suggestion]:
    command = next((word for word in question.words if word in known_commands()), "")
    return suggestions(outline(command), question.words, question.incomplete)


def _split(line: str) -> list[str]:
    """The words of a line, the last of which may lack its closing quote."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    found = []
    try:
        for word in lexer:
            found.append(word)
    except ValueError:
        found.append(lexer.token)
    return found


# --- Bash -------------------------------------------------------------------------------------------------------------


def _read_bash(environment: Mapping[str, str]) -> Question:
    """Bash makes words of `:` and `=`, too, and wants what follows the last of them."""
    place = int(environment["COMP_CWORD"])
    typed = environment["COMP_WORDS"].split("\n")[: place + 1]
    joined: list[str] = []
    for word, before in zip(typed, ["", *typed], strict=False):
        if joined and word and (_is_break(word) or _is_break(before)):
            joined[-1] += word
        else:
            joined.append(word)
    *words, incomplete = [" ".join(_split(word)) for word in joined]
    return Question(words[1:], incomplete, typed[-1])


def _is_break(word: str) -> bool:
    return bool(word) and not word.strip(":=")


def _write_bash(found: Sequence[Suggestion], question: Question) -> str:
    is_quoted = question.typed[:1] in ("'", '"')
    start = 0 if is_quoted else max(question.incomplete.rfind(mark) for mark in ":=") + 1
    words = [suggestion.word[start:] for suggestion in found]
    return "\n".join(words if is_quoted else (re.sub(r"[^\w@%+=:,./-]", r"\\\g<0>", word) for word in words))


# --- Other shells -----------------------------------------------------------------------------------------------------


def _read_line(environment: Mapping[str, str]) -> Question:
    line = environment["_TYPER_COMPLETE_ARGS"]
    *words, last = _split(line + _CURSOR)[1:]  # a space at the end may belong to the last word
    return Question(words, last.removesuffix(_CURSOR))


def _write_zsh(found: Sequence[Suggestion], _: Question) -> str:
    """A command for Zsh, which quotes the words itself."""
    if not found:
        return "_files"
    rows = [shlex.quote(":".join(filter(None, (word.replace(":", r"\:"), help)))) for word, help in found]
    no_blank = " -S ''" if any(word.endswith(_OPEN) for word, _ in found) else ""
    return f"local -a found=({' '.join(rows)}); _describe ludus found{no_blank}"


def _write_fish(found: Sequence[Suggestion], _: Question) -> str:
    return "\n".join("\t".join(filter(None, suggestion)) for suggestion in found)


def _read_powershell(environment: Mapping[str, str]) -> Question:
    words = _split(environment["_TYPER_COMPLETE_ARGS"])[1:]
    incomplete = environment.get("_TYPER_COMPLETE_WORD_TO_COMPLETE", "")
    return Question(words[:-1] if incomplete else words, incomplete)


def _write_powershell(found: Sequence[Suggestion], _: Question) -> str:
    return "\n".join(f"{suggestion.word}:::{suggestion.help or ' '}" for suggestion in found)


_SHELLS: dict[str, tuple[Callable[[Mapping[str, str]], Question], Callable[[Sequence[Suggestion], Question], str]]] = {
    "bash": (_read_bash, _write_bash),
    "zsh": (_read_line, _write_zsh),
    "fish": (_read_line, _write_fish),
    "powershell": (_read_powershell, _write_powershell),
    "pwsh": (_read_powershell, _write_powershell),
}
