"""`ludus new`: files to begin with."""

import shlex
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.text import Text

from ludus.cli.screen import output
from ludus.core.errors import FileError, NotFoundError
from ludus.core.paths import file_errors, shipped
from ludus.core.text import did_you_mean

EXAMPLE = "Example: ludus new bot python"

app = typer.Typer(
    help="Write a file to begin with: a bot that plays already, for you to make it strong.", epilog=EXAMPLE
)


class Starter(NamedTuple):
    """A starter bot: its file, the spec that names it, and what compiles it, if anything; {0} is its folder."""

    file: str
    spec: str
    compiling: str = ""


STARTERS = {
    "c": Starter("bot.c", "{0}/bot", "cc -O2 -o {0}/bot {0}/bot.c"),
    "cpp": Starter("bot.cpp", "{0}/bot", "c++ -std=c++17 -O2 -o {0}/bot {0}/bot.cpp"),
    "java": Starter(
        "Bot.java",
        "stdio:java -jar {0}/Bot.jar",
        "javac -d {0}/classes {0}/Bot.java && jar --create --file {0}/Bot.jar --main-class Bot -C {0}/classes .",
    ),
    "javascript": Starter("bot.js", "{0}/bot.js"),
    "python": Starter("bot.py", "stdio:python3 {0}/bot.py"),
    "rust": Starter("bot.rs", "{0}/bot", "rustc --edition 2021 -O -o {0}/bot {0}/bot.rs"),
}
_OTHER_NAMES = {"c++": "cpp", "js": "javascript"}


@app.callback()
def new() -> None:
    """A group, so that `bot` is a word of the command line."""


@app.command(epilog=EXAMPLE)
def bot(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help=f"One of {', '.join(STARTERS)}.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it.")] = Path("mybot"),
) -> None:
    """Write a starter bot, one short file with the protocol done, and tell how to go on."""
    name = _OTHER_NAMES.get(language.lower(), language.lower())
    if name not in STARTERS:
        raise NotFoundError(
            f"There is no starter bot in '{language}'{did_you_mean(name, STARTERS)}; there are {', '.join(STARTERS)}."
        )
    written = write_starter(name, folder)
    console = output()
    console.print(Text(f"{written} plays random moves. Go on with"), soft_wrap=True)
    for step in next_steps(STARTERS[name], folder):
        console.print(Text(f"  {step}", "cyan"), soft_wrap=True)


def write_starter(language: str, folder: Path) -> Path:
    """Write the starter bot of a language into a folder, and return the new file; nothing is written over."""
    starter = STARTERS[language]
    text = _source(language, starter.file)
    written = folder / starter.file
    with file_errors(written, "written"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with written.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise FileError(
                f"There is {error.filename} already: name another folder, as in ludus new bot {language} secondbot.",
                error.filename,
            ) from None
        if not starter.compiling:
            written.chmod(written.stat().st_mode | 0o111)
    return written


def next_steps(starter: Starter, folder: Path) -> list[str]:
    """What to type next, as lines for the shell: compile the bot, check it, let it play."""
    here = str(folder) if folder.is_absolute() or str(folder).startswith(".") else f"./{folder}"
    spec = shlex.quote(starter.spec.format(shlex.quote(here)))
    lines = [
        starter.compiling.format(shlex.quote(here)),
        f"ludus check bot {spec} --game connect-four",
        f"ludus play connect-four {spec} random",
    ]
    return [line for line in lines if line]


def _source(language: str, file: str) -> str:
    """The text of a starter bot: from the sources of Ludus, or from where it was installed."""
    for place in shipped(f"bots/{language}/{file}", f"bots/{language}/{file}"):
        return place.read_text(encoding="utf-8")
    raise NotFoundError(
        "The starter bots are not installed with this Ludus: take them from the folder bots of its source."
    )
