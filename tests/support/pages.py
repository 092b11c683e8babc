"""Pages of the documentation: their examples, found and run.

Every fenced block is an example, and its language says what happens to it:

- `console`: lines that begin with `$ ` are commands, the others are what they print.
- `sh`: every line is a command.
- `python`: runs, with the names of the blocks before it.
- `json`, `toml`: must be well formed.
- `text`: is only read.

A comment before a block changes that:

- `<!-- file: NAME -->`: the block is written into that file, and equals that of the name in docs/examples, if any.
- `<!-- from: NAME -->`: the block stands in that file of the repository.
- `<!-- methods of: NAME -->`: the block's methods replace those of the class in that file, which the page made.
- `<!-- typed: TEXT -->`: someone types this at the command; `\\n` is the Enter key.
- `<!-- meanwhile -->`: the commands run in the background until the page ends.
- `<!-- meanwhile: until Ctrl-C -->`: the same, and Ctrl-C ends them there.
- `<!-- dialogue: GAME -->`: the lines that begin with `> ` are said to a bot, which has an answer to each.
- `<!-- tree: COMMAND -->`: the block is written by a program, and another test keeps it current.
- `<!-- needs: PROGRAM -->`: the commands run where this program is installed.
- `<!-- not run: REASON -->`: what it says.
"""

import ast
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

import ludus as package
from ludus.core.paths import cache_folder
from support.places import ROOT
from support.running import PATIENCE, PROGRAM, ludus

BESIDE = ("bots", "docs", "examples")
"""Folders of the repository that examples name."""
LANGUAGES = ("console", "json", "python", "sh", "text", "toml")
NOTES = ("dialogue", "file", "from", "meanwhile", "methods of", "needs", "not run", "tree", "typed")
GAMES = "/usr/games"
"""The folder of chess engines on Debian, which is not on every PATH."""
PORT = "8080"
"""The port in the examples; a free one takes its place."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_OF_A_SHELL = re.compile(r"[|<&;~]|\$\(")
_NOTE = re.compile(r"<!-- ([a-z ]+)(?:: (.*?))? -->", re.DOTALL)


class Example(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    text: str
    note: str = ""
    about: str = ""  # what the note says

    @property
    def commands(self) -> list[str]:
        """The commands of a console or a script."""
        lines = self.text.replace("\\\n", " ").splitlines()
        if self.language == "console":
            return [line[2:].strip() for line in lines if line.startswith("$ ")]
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def pages() -> list[str]:
    """All pages, by their paths in the repository."""
    written = [path for path in (ROOT / "docs").rglob("*.md") if "examples" not in path.relative_to(ROOT).parts[:-1]]
    return sorted(str(path.relative_to(ROOT)) for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *written])


def examples(page: str) -> list[Example]:
    """The examples of a page, in their order; code that is only indented would be none, and is refused."""
    found = []
    tokens = MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8"))
    for before, token in zip([None, *tokens], tokens, strict=False):
        line = (token.map or [0])[0] + 1
        assert token.type != "code_block", f"{page}, line {line}: put ``` around this block"
        if token.type == "fence" and not token.info.startswith("{"):
            note = _NOTE.fullmatch(before.content.strip()) if before and before.type == "html_block" else None
            found.append(
                Example(line, token.info, token.content, *(part or "" for part in note.groups()) if note else ())
            )
    return found


def mentioned(page: str) -> set[str]:
    """The commands of Ludus that the text of a page mentions."""
    tokens = MarkdownIt().enable("table").parse((ROOT / page).read_text(encoding="utf-8"))
    codes = (child.content for token in tokens for child in token.children or () if child.type == "code_inline")
    return {" ".join(code.split()) for code in codes if code.startswith("ludus ")}


class Page:
    """A page that is carried out in a folder, with a store and saved agents of its own.

    `programs` is the folder of another installation, which then runs everything in processes of its own.
    """

    def __init__(self, name: str, folder: Path, patch: pytest.MonkeyPatch, programs: Path | None = None) -> None:
        self._name = name
        self._programs = programs
        self._said = ""
        self._folder = folder / "work"
        self._names: dict[str, Any] = {"__name__": "page"}
        self._behind: list[tuple[subprocess.Popen[bytes], bool]] = []
        self._port = _free_port()
        self._folder.mkdir()
        for beside in BESIDE:
            (self._folder / beside).symlink_to(ROOT / beside)
        home = folder / "home"
        home.mkdir()
        cache = cache_folder()
        cache.mkdir(parents=True, exist_ok=True)
        (home / "cache").symlink_to(cache)  # or everything would be compiled again
        patch.setenv("LUDUS_HOME", str(home))
        patch.delenv("LUDUS_STORE", raising=False)
        patch.setenv("PYTHONPATH", str(Path(package.__file__).parents[1]))
        if programs is not None:
            patch.delenv("PYTHONPATH")
        patch.setenv("PATH", os.pathsep.join([str(programs or PROGRAM.parent), os.environ["PATH"], GAMES]))
        patch.chdir(self._folder)

    def carry_out(self) -> None:
        """Carry out all examples."""
        try:
            for example in examples(self._name):
                try:
                    self._one(example)
                except AssertionError as error:
                    raise AssertionError(f"{self._name}, line {example.line}: {error}") from error
            self._finish()
        finally:
            for process, _ in self._behind:
                process.kill()
                process.wait()

    def _one(self, example: Example) -> None:
        places: dict[str, Callable[[Example], None]] = {
            "needs": self._commands_with,
            "not run": lambda _: None,
            "file": self._write,
            "from": self._look_up,
            "methods of": self._replace_methods,
            "dialogue": self._talk,
        }
        languages: dict[str, Callable[[Example], None]] = {
            "console": self._commands,
            "sh": self._commands,
            "python": self._python,
            "json": self._parse,
            "toml": self._parse,
            "text": lambda _: None,
        }
        (places.get(example.note) or languages[example.language])(example)

    def _write(self, example: Example) -> None:
        path = self._folder / example.about
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = ROOT / "docs" / "examples" / example.about
        assert not kept.is_file() or kept.read_text(encoding="utf-8") == example.text, f"not as in {kept}"
        path.write_text(example.text, encoding="utf-8")
        if example.text.startswith("#!"):
            path.chmod(0o755)

    def _parse(self, example: Example) -> None:
        {"json": json.loads, "toml": tomllib.loads}[example.language](example.text)

    def _look_up(self, example: Example) -> None:
        assert example.text in (ROOT / example.about).read_text(encoding="utf-8"), f"not in {example.about}"

    def _replace_methods(self, example: Example) -> None:
        path = self._folder / example.about
        source = path.read_text(encoding="utf-8")
        methods = {node.name for node in _functions(f"class Bot:\n{example.text}")}
        there = [node for node in _functions(source) if node.name in methods]
        assert there, f"{example.about} has none of {methods}"
        lines = source.splitlines(keepends=True)
        for node in reversed(there):
            del lines[node.lineno - 1 : node.end_lineno]
        lines.insert(there[0].lineno - 1, example.text)
        path.write_text("".join(lines), encoding="utf-8")

    def _talk(self, example: Example) -> None:
        said = [line[2:] for line in example.text.splitlines() if line.startswith("> ")]
        expected = ["OK" if line.startswith("INFO ") else "" for line in said if line != "END"]
        command = f"ludus bot agent stdio random --game {example.about}"
        done = _in_a_shell(command, "\n".join([*said, ""]))
        assert done.returncode == 0, done.stderr
        answers = [line for line in done.stdout.splitlines() if not line.startswith("METRIC ")]
        assert len(answers) == len(expected), answers
        for line, answer, wanted in zip(said, answers, expected, strict=False):
            assert answer == wanted or (not wanted and not answer.startswith("ERROR")), f"'{line}': {answer}"

    def _python(self, example: Example) -> None:
        if self._programs is None:
            exec(compile(example.text, self._name, "exec"), self._names)
            return
        self._said += example.text  # a new process begins with all that was said before
        done = _in_a_shell(f"python -c {shlex.quote(self._said)}")
        assert done.returncode == 0, done.stdout + done.stderr

    def _commands(self, example: Example) -> None:
        assert example.commands, "no commands"
        typed = example.about.replace("\\n", "\n") if example.note == "typed" else ""
        if example.note == "meanwhile":
            self._finish()
        for command in example.commands:
            command = command.replace(PORT, str(self._port))
            if example.note == "meanwhile":
                self._begin(command, is_stopped=bool(example.about))
                continue
            done = (_run if self._programs is None else _in_a_shell)(command, typed)
            assert done.returncode == 0, f"'{command}' ended with {done.returncode}: {done.stdout}{done.stderr}"

    def _commands_with(self, example: Example) -> None:
        if shutil.which(example.about) is not None:
            self._commands(example)

    def _begin(self, command: str, *, is_stopped: bool) -> None:
        """Begin a server, and wait until it listens; if it `is_stopped` by Ctrl-C, it does not end by itself."""
        process = subprocess.Popen(["bash", "-c", f"exec {command}"], stdout=subprocess.DEVNULL)
        self._behind.append((process, is_stopped))
        while not _listens(self._port):
            assert process.poll() is None, f"'{command}' ended with {process.poll()}"
            time.sleep(0.1)

    def _finish(self) -> None:
        for process, is_stopped in self._behind:
            if is_stopped:
                process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0, f"{process.args!r} failed"


def _run(command: str, typed: str) -> subprocess.CompletedProcess[str]:
    """Run a command, in this process where it is one of Ludus alone, which saves a second."""
    words = shlex.split(command, comments=True)
    if words[0] != "ludus" or words[1] == "bot" or _OF_A_SHELL.search(_QUOTED.sub("", command)):
        return _in_a_shell(command, typed)
    into = words.index(">") if ">" in words else len(words)
    done = ludus(*words[1:into], said=typed)
    if into < len(words):
        Path(words[into + 1]).write_text(done.stdout, encoding="utf-8")
    return done


def _in_a_shell(command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], input=typed, capture_output=True, text=True, timeout=PATIENCE)


def _functions(source: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0
