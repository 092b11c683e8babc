"""`ludus new`: starters for a bot, a game, an agent or a plugin, which work at once."""

import importlib.util
import keyword
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.text import Text

from ludus.cli.screen import output
from ludus.core.errors import FileError, InvalidError, NotFoundError
from ludus.core.paths import file_errors, shipped, write_file
from ludus.core.registry import names
from ludus.core.text import did_you_mean

EXAMPLE = "Example: ludus new bot python"

app = typer.Typer(help="Create a starter bot, game, agent or plugin that works at once.", epilog=EXAMPLE)


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
    """Create a starter."""


# --- Bots -----------------------------------------------------------------------------------------------------------


@app.command(epilog=EXAMPLE)
def bot(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help=f"One of {', '.join(STARTERS)}.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to write to.")] = Path("mybot"),
) -> None:
    """Create a starter bot in one file and show the next steps."""
    name = _OTHER_NAMES.get(language.lower(), language.lower())
    if name not in STARTERS:
        raise NotFoundError(
            f"There is no starter bot in '{language}'{did_you_mean(name, STARTERS)}; there are {', '.join(STARTERS)}."
        )
    written = write_starter(name, folder)
    _report(f"{written} plays random moves.", next_steps(STARTERS[name], folder))


def write_starter(language: str, folder: Path) -> Path:
    """Write the starter bot of a language into a folder, and return the new file."""
    starter = STARTERS[language]
    written = folder / starter.file
    _write(written, _template(f"bots/{language}/{starter.file}"), f"ludus new bot {language} secondbot")
    if not starter.compiling:
        with file_errors(written, "written"):
            written.chmod(written.stat().st_mode | 0o111)
    return written


def next_steps(starter: Starter, folder: Path) -> list[str]:
    """Lines for the shell that compile the bot, check it, and let it play."""
    here = _here(folder)
    spec = shlex.quote(starter.spec.format(shlex.quote(here)))
    lines = [
        starter.compiling.format(shlex.quote(here)),
        f"ludus check bot {spec} --game connect-four",
        f"ludus play connect-four {spec} random",
    ]
    return [line for line in lines if line]


# --- Games and agents -----------------------------------------------------------------------------------------------

_GAME_EXAMPLE = "Example: ludus new game mygame.py"
_AGENT_EXAMPLE = "Example: ludus new agent myagent.py"


@app.command(epilog=_GAME_EXAMPLE)
def game(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file to write.")] = Path("mygame.py"),
) -> None:
    """Create a starter game (Breakthrough, about 65 lines) and show the next steps."""
    spec, test = _write_module(file, "breakthrough", "ludus new game secondgame.py")
    steps = [f"ludus check game {spec}", f"ludus play {spec} mcts:time=100ms random --show", test]
    _report(f"{file} is breakthrough: change its rules to those of your game.", steps)


@app.command(epilog=_AGENT_EXAMPLE)
def agent(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file to write.")] = Path("myagent.py"),
) -> None:
    """Create a starter agent that looks one move ahead, and show the next steps."""
    spec, test = _write_module(file, "greedy", "ludus new agent secondagent.py")
    steps = [
        f"ludus play connect-four {spec} random --episodes 10",
        f"ludus play othello {spec} mcts:simulations=200 --episodes 10",
        test,
    ]
    _report(f"{file} plays the move after which the game's own evaluation is best.", steps)


def _write_module(file: Path, template: str, example: str) -> tuple[str, str]:
    """Write a module from a template, and its test beside it; the spec and the command of the test, for the shell."""
    if file.suffix != ".py":
        raise InvalidError(f"{file} is not the name of a Python file: write one that ends in .py, as in {example}.")
    test = file.with_name(f"test_{file.name}")
    _refuse_existing(test, example)
    _write(file, _template(f"docs/examples/{template}.py"), example)
    _write(test, _template(f"docs/examples/test_{template}.py").replace(template, file.stem), example)
    return shlex.quote(_here(file)), f"{_python()} {shlex.quote(_here(test))}"


# --- Plugins --------------------------------------------------------------------------------------------------------

_PLUGIN_EXAMPLE = "Example: ludus new plugin mygames"
_PLUGIN, _PLUGIN_NAME = "examples/plugin", "race"


@app.command(epilog=_PLUGIN_EXAMPLE)
def plugin(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Folder to create; the package and the game get its name."),
    ] = Path("myplugin"),
) -> None:
    """Create a package with a game, an agent, a protocol, a server, a board and a command; show the next steps."""
    name = folder.resolve().name.lower().replace("-", "_")
    if folder.exists():
        raise FileError(f"{folder} exists: give another name, as in ludus new plugin secondplugin.", folder)
    _refuse_name(name)
    for path, text in _plugin_files(name):
        _write(folder / path, text, "ludus new plugin secondplugin")
    steps = [
        f"{_installer()} -e {shlex.quote(_here(folder))}",
        f"ludus check game {_spec(name)}",
        f"ludus play {_spec(name)} {_spec(name)}.perfect random --show",
        f"{_python()} {shlex.quote(_here(folder / f'test_{name}.py'))}",
    ]
    _report(f"{folder} is a package with an example of everything a plugin can add.", steps)


def _refuse_name(name: str) -> None:
    """Refuse a name that no package and game could have beside the existing ones."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise InvalidError(f"A package cannot be called '{name}': take a folder of letters, digits and _.")
    if _spec(name) in names("game") or importlib.util.find_spec(name) is not None:
        raise InvalidError(f"There is a package or a game called '{name}' already: name the folder differently.")


def _spec(package: str) -> str:
    """The name of a package's game and command, which have hyphens."""
    return package.replace("_", "-")


def _plugin_files(name: str) -> Iterable[tuple[Path, str]]:
    """The files of the example, in which the new name takes the place of the old one."""
    title = "".join(part.capitalize() for part in name.split("_"))
    for file in _shipped(f"{_PLUGIN}/*.*", f"{_PLUGIN}/{_PLUGIN_NAME}/*.py"):
        text = re.sub(rf'("|{{ ){_PLUGIN_NAME}\b(?!\.\w+:)', rf"\g<1>{_spec(name)}", file.read_text(encoding="utf-8"))
        text = re.sub(rf"\b(test_)?{_PLUGIN_NAME}\b", rf"\g<1>{name}", text)
        text = re.sub(rf"(\b|(?<=Test)){_PLUGIN_NAME.capitalize()}", title, text)
        folder = Path(name) if file.parent.name == _PLUGIN_NAME else Path()
        yield folder / file.name.replace(f"test_{_PLUGIN_NAME}", f"test_{name}"), text


def _installer() -> str:
    """The command that installs packages where this Ludus is."""
    if importlib.util.find_spec("pip") is None:  # in an environment made by uv
        return f"uv pip install --python {_python()}"
    return f"{_python()} -m pip install"


def _python() -> str:
    """The command that starts the Python of this Ludus."""
    found = shutil.which("python")
    return "python" if found and Path(found) == Path(sys.executable) else shlex.quote(sys.executable)


# --- What all share -------------------------------------------------------------------------------------------------


def _report(done: str, steps: Iterable[str]) -> None:
    console = output()
    console.print(Text(f"{done} Next steps:"), soft_wrap=True)
    for step in steps:
        console.print(Text(f"  {step}", "cyan"), soft_wrap=True)


def _here(path: Path) -> str:
    """A path that no shell takes for the name of a command."""
    return str(path) if path.is_absolute() or str(path).startswith(".") else f"./{path}"


def _write(file: Path, text: str, example: str) -> None:
    """Write a new file, in a folder that is made if it is missing; an existing file is kept."""
    _refuse_existing(file, example)
    with file_errors(file, "written"):
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            _refuse_existing(Path(error.filename), example)
        write_file(file, text)


def _refuse_existing(path: Path, example: str) -> None:
    if path.exists():
        raise FileError(f"{path} exists: give another name, as in {example}.", path)


def _template(path: str) -> str:
    return _shipped(path)[0].read_text(encoding="utf-8")


def _shipped(*patterns: str) -> list[Path]:
    """Files that come with Ludus."""
    found = [file for pattern in patterns for file in shipped(pattern)]
    if not found:
        raise NotFoundError(f"{patterns[0]} is missing from this installation: install Ludus again.")
    return found
