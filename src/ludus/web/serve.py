"""`ludus serve`: the site of a store."""

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ludus.cli.gate import LOCAL
from ludus.cli.options import StoreOption, number_option
from ludus.cli.screen import errors
from ludus.core.errors import BusyError, InvalidError
from ludus.store import open_store

if TYPE_CHECKING:
    from ludus.web.access import Access

SERVE_EXAMPLE = "Example: ludus serve --port 8000"
_PORT = 8000
_LARGEST_REQUEST = 1 << 16  # bytes of a message of a viewer


def serve(
    port: Annotated[
        int, number_option("--port", "Port to listen on; 0 picks a free one.", least=0, most=65535, shown=str(_PORT))
    ] = _PORT,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; any non-local address requires a token.")
    ] = LOCAL,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="LUDUS_TOKEN",
            help="Password of the site. Default: none on this machine's own address, a new one on any other.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Start a site to watch, replay and study all tournaments of a store in a browser.

    Tournaments and games that run on this machine are shown live. Ctrl-C stops the site and nothing else.
    """
    import uvicorn  # with FastAPI, slow to import

    from ludus.web.access import Access
    from ludus.web.application import application
    from ludus.web.site import Site

    if token is not None and not token.strip():
        raise InvalidError("The token is empty: write --token SECRET, or leave it out.")
    with open_store(store) as opened, listening(host, port) as bound:
        place = bound.getsockname()[1]
        access = Access(host, place, token)
        app = application(Site(opened, access))
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="on", ws_max_size=_LARGEST_REQUEST)
        _tell(access, opened.url)
        with suppress(KeyboardInterrupt):  # the usual way to end it
            uvicorn.Server(config).run(sockets=[bound])


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens on this address, or one sentence why it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if isinstance(error, socket.gaierror):
            raise InvalidError(f"'{host}' is not an address of this machine: leave out --host.") from None
        raise BusyError(f"Port {port} of {host} cannot be opened: {error.strerror}; choose another --port.") from None


def _tell(access: "Access", store: str) -> None:
    errors().print(Text(f"The site of {store} is at {access.address}"), soft_wrap=True)
    if access.token_is_new:
        errors().print(Text(f"Its token: {access.token}"), soft_wrap=True)
    errors().print(Text("Ctrl-C stops it.", "dim"))
