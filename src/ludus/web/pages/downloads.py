"""Files of a tournament to download: what `ludus store export` writes, and the report."""

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, cast, get_args
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from ludus.core.errors import BusyError, NotFoundError
from ludus.core.paths import file_errors
from ludus.games.game import game_from
from ludus.store import Store
from ludus.views.page.page import render
from ludus.views.table_files import Form
from ludus.views.tournament_files import games_of, write_tournament
from ludus.web.pages.tournament import Id
from ludus.web.site import Site

router = APIRouter()
_AT_ONCE = 1 << 16  # bytes
_one_at_a_time = Lock()


@router.get("/tournaments/{id}/download/report.html", include_in_schema=False)
def send_report(request: Request, id: Id) -> Response:
    """Send the report, one page that works offline."""
    site: Site = request.app.state.site
    held = site.results.now(id)
    with held.lock:
        return Response(render(held.results), media_type="text/html", headers=_named(held.results.summary.name, "html"))


@router.get("/tournaments/{id}/download/{form}.zip", include_in_schema=False)
def send_folder(request: Request, id: Id, form: str) -> Response:
    """Send the results and records as files of a kind, in one archive."""
    if form not in get_args(Form):
        raise NotFoundError(f"There is no download '{form}': choose from {', '.join(get_args(Form))}.")
    store = request.app.state.site.store
    name = store.summary(id).name
    with alone():
        file = _archive(store, id, cast(Form, form))
    return StreamingResponse(_read(file), media_type="application/zip", headers=_named(f"{name} {form}", "zip"))


@router.get("/tournaments/{id}/download/games.{ending}", include_in_schema=False)
def send_games(request: Request, id: Id, ending: str) -> Response:
    """Send the games for other programs: chess as PGN, others as SGF."""
    store = request.app.state.site.store
    summary = store.summary(id)
    game = game_from(summary.game)
    notation = game.notation()
    if notation is None or notation.written != f".{ending}":
        raise NotFoundError(f"The games of tournament {id} cannot be written as {ending.upper()}.")
    texts = (text.encode() for text in games_of(store, id, game, notation))
    return StreamingResponse(texts, media_type="text/plain; charset=utf-8", headers=_named(summary.name, ending))


@contextmanager
def alone() -> Iterator[None]:
    """Keep others from writing an archive: one takes a core, and much room on the disk."""
    if not _one_at_a_time.acquire(blocking=False):
        raise BusyError("Another download is being written: try again in a minute.")
    try:
        yield
    finally:
        _one_at_a_time.release()


def _archive(store: Store, id: int, form: Form) -> IO[bytes]:
    """A temporary file with an archive of what an export writes; it vanishes when it is closed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with file_errors(folder, "written"):
            write_tournament(store, id, folder, form, lambda _: None)
            file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it has been sent
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for each in sorted(folder.iterdir()):
                    archive.write(each, each.name)
    file.seek(0)
    return file


def _read(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(_AT_ONCE):
            yield part


def _named(name: str, ending: str) -> dict[str, str]:
    """The header that tells a browser to store the answer under a name."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(f'{name}.{ending}', safe='')}"}
