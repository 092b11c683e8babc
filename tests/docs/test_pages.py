"""Every command and every example of the documentation is carried out; `support/pages.py` says how."""

import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.core import TyperGroup

from ludus.cli.app import app_for
from support.pages import LANGUAGES, NOTES, Page, examples, mentioned, pages


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


@pytest.mark.parametrize("page", [page for page in pages() if mentioned(page)])
def test_every_command_that_the_text_mentions_exists(page: str) -> None:
    for mention in mentioned(page):
        words = shlex.split(mention)[1:]
        command: Any = typer.main.get_command(app_for(words))
        context = typer.Context(command, **command.context_settings)
        while words and isinstance(command, TyperGroup) and words[0] in command.list_commands(context):
            command = command.get_command(context, words.pop(0))
            context = typer.Context(command, parent=context)
        assert not isinstance(command, TyperGroup) or all(word.startswith("-") for word in words), mention
        parameters = command.get_params(context)
        options = {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= options, mention
