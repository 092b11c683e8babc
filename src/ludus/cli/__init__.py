"""The commands, and the one place where errors become a line on the screen."""

import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

import ludus
from ludus.cli.screen import complain
from ludus.errors import LudusError
from ludus.garbage import collect_rarely

_COMMANDS = {
    "games": ("games", "games"),
    "agents": ("agents", "app"),
    "formats": ("formats", "formats"),
    "play": ("play", "play"),
    "run": ("run", "run_tournament"),
    "results": ("results", "results"),
    "replay": ("replay", "replay"),
    "report": ("report", "report"),
    "chart": ("chart", "chart"),
    "compare": ("compare", "compare"),
    "select": ("select", "select"),
    "export": ("export", "export"),
    "import": ("export", "import_"),
    "delete": ("export", "delete"),
    "stats": ("stats", "stats"),
    "sweep": ("sweep", "sweep"),
    "scenario": ("scenario", "app"),
    "video": ("video", "video"),
    "picture": ("picture", "picture"),
    "host": ("host", "host"),
    "join": ("join", "join"),
    "match": ("match", "match"),
    "bot": ("bot", "bot"),
    "new": ("new", "app"),
    "check": ("check", "app"),
    "bench": ("bench", "bench"),
}
"""The module and the function, or the group of commands, that each command is."""


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line, with only the command that is asked for: databases and charts take their time to import."""
    app = typer.Typer(
        help="Pit game-playing programs against each other, and see who is stronger.",
        epilog="Example: ludus play connect-four mcts random --episodes 10",
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
    )
    app.callback(invoke_without_command=True)(_ludus)
    wanted = arguments[:1] if arguments and arguments[0] in _COMMANDS else _COMMANDS
    for name in wanted:
        place, attribute = _COMMANDS[name]
        module = importlib.import_module(f"ludus.cli.{place}")
        command = getattr(module, attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            example = getattr(module, f"{name.upper()}_EXAMPLE", None) or module.EXAMPLE
            app.command(name, epilog=example)(command)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ludus {ludus.__version__}")
        raise typer.Exit


def _ludus(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run the command line. No traceback reaches the user: an error is one line and an exit status."""
    try:
        gc.disable()  # modules stay
        app = app_for(sys.argv[1:])
        collect_rarely()
        gc.enable()
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it exits
        status = 1
    except LudusError as error:
        complain(str(error))
        status = 2
    except TyperException as error:
        complain(_usage(error))
        status = 2
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        complain(
            f"This should not happen, please report it: {type(error).__name__}: {error} "
            f"({os.path.basename(place.filename)}, line {place.lineno})."
        )
        status = 1
    sys.exit(status)


def _usage(error: TyperException) -> str:
    message = " ".join(error.format_message().split()).rstrip(".").replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    return f"{message}; '{context.command_path if context else 'ludus'} --help' tells how it is used."
