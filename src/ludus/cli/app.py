"""The application: its commands; errors become one line on the screen here."""

import gc
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer import rich_utils
from typer.core import TyperGroup
from typer.exceptions import TyperException

from ludus.cli.commands import add_commands
from ludus.cli.help import show_help
from ludus.cli.screen import complain, give_up, output_errors, translate_streams
from ludus.core.errors import LudusError
from ludus.core.failures import DEBUG, gist, place_in_users_file, show_traceback
from ludus.core.paths import config_folder
from ludus.core.startup import collect_rarely
from ludus.core.version import __version__
from ludus.tournaments.config import FILE_NAME


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments: with the command that is asked for, or the list of all."""
    app = typer.Typer(
        help="Run tournaments between game-playing programs and measure which is stronger.",
        epilog="Example: ludus play connect-four mcts random --episodes 10\n\n"
        f"Defaults: {FILE_NAME} in this folder or in {config_folder()}",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
    )
    app.callback(invoke_without_command=True)(_ludus)
    add_commands(app, arguments)
    return app


rich_utils.rich_format_help = show_help  # Typer has no setting for it


def _print_version(asked: bool) -> None:
    if asked:
        print(f"ludus {__version__}")
        raise typer.Exit


def _ludus(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def run_app() -> None:
    """Run the command line. No traceback reaches the user: an error is one line and an exit status."""
    try:
        translate_streams()
        gc.disable()  # modules stay
        app = app_for(sys.argv[1:])
        collect_rarely()
        gc.enable()
        status = app(standalone_mode=False) or 0
        with output_errors():
            sys.stdout.flush()
    except BrokenPipeError:
        give_up(sys.stdout)
        status = 1
    except LudusError as error:
        show_traceback(error)
        complain(str(error))
        status = 2
    except TyperException as error:
        complain(_usage(error, app))
        status = 2
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except Exception as error:
        show_traceback(error)
        complain(_unexpected(error))
        status = 1
    sys.exit(status)


def _unexpected(error: Exception) -> str:
    """The sentence of an error that is neither the user's nor foreseen: of the machine, of a user's code, or ours."""
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{error.filename} cannot be used: {reason}." if error.filename else f"This machine failed: {reason}."
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    if place := place_in_users_file(error):
        return f"{place[0]} failed: {gist(error)}; {DEBUG}=1 shows the traceback."
    return f"This should not happen, please report it with the traceback that {DEBUG}=1 shows: {gist(error)}."


_REPLACED = {"--board": "--position"}
"""Options of earlier versions, with those that do their work now."""


def _usage(error: TyperException, app: typer.Typer) -> str:
    """The sentence of an error in the command line, and where to read more."""
    old = getattr(error, "option_name", None)
    if old in _REPLACED:
        return f"'{old}' is now '{_REPLACED[old]}'."
    message = " ".join(error.format_message().split()).rstrip(".").replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    stop = "" if message.endswith("?") else "."
    return f"{message}{stop} See '{context.command_path if context else _command_path(app)} --help'."


def _command_path(app: typer.Typer) -> str:
    """The command that was asked for, for an error that does not say."""
    words, command = ["ludus"], typer.main.get_command(app)
    for word in sys.argv[1:]:
        if not isinstance(command, TyperGroup) or word not in command.commands:
            break
        words.append(word)
        command = command.commands[word]
    return " ".join(words)
