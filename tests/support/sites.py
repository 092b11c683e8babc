"""The site of a store, served to real browsers and programs on a free port of this machine."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from ludus.store import Store, open_store
from ludus.web.access import Access
from ludus.web.application import application
from ludus.web.live.hub import Hub
from ludus.web.serve import listening
from ludus.web.site import Site


class Answer(NamedTuple):
    """An answer of the site."""

    status: int
    headers: "Message[str, str]"
    text: str

    @property
    def json(self) -> Any:
        """The content, if it is JSON."""
        return json.loads(self.text)


class Served(NamedTuple):
    """A site that runs: its address, its store, and who has access."""

    address: str
    store: Store
    access: Access
    hub: Hub
    site: Site

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a path; underscores in names of headers stand for hyphens."""
        return self.ask("GET", path, None, **headers)

    def ask(self, method: str, path: str, content: bytes | None = None, **headers: str) -> Answer:
        """Send a request; redirections are not followed."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, content, named, method=method)
        try:
            with _opener.open(request, timeout=30) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read().decode())

    @contextmanager
    def open(self, path: str, **headers: str) -> Iterator[Any]:
        """Open an answer that is read in pieces, or that is not text."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, headers=named)
        with _opener.open(request, timeout=60) as answer:
            yield answer


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *request: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirection)


@contextmanager
def served(store: Path, host: str = "127.0.0.1", token: str | None = None, port: int = 0) -> Iterator[Served]:
    """The site of a store, in a thread; 0 picks a free port."""
    with open_store(str(store)) as opened, listening(host, port) as socket:
        port = socket.getsockname()[1]
        access = Access(host, port, token)
        site = Site(opened, access)
        server = uvicorn.Server(uvicorn.Config(application(site), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield Served(f"http://127.0.0.1:{port}", opened, access, site.hub, site)
        finally:
            server.should_exit = True
            thread.join()
