"""Folders of Ludus, and files whose errors are one sentence."""

import contextlib
import os
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import platformdirs

from ludus.core.errors import FileError, InvalidError, NotFoundError


def data_folder() -> Path:
    """The folder for data: under LUDUS_HOME if that is set, else in the user's data folder."""
    return _home() or platformdirs.user_data_path("ludus")


def cache_folder() -> Path:
    """The folder for reproducible files: under LUDUS_HOME if that is set, else in the user's cache folder."""
    home = _home()
    return home / "cache" if home else platformdirs.user_cache_path("ludus")


def config_folder() -> Path:
    """The folder of the user's settings: LUDUS_HOME if that is set, else the user's config folder."""
    return _home() or platformdirs.user_config_path("ludus")


def shipped(pattern: str) -> list[Path]:
    """Files that come with Ludus, by a pattern: in its sources, or else below `share/ludus` where it was installed."""
    if found := list(Path(__file__).parents[3].glob(pattern)):
        return sorted(found)
    import importlib.metadata  # slow to import

    listed = importlib.metadata.files("ludus") or []
    return sorted(Path(str(file.locate())) for file in listed if file.match(f"share/ludus/{pattern}"))


def in_full(path: str, base: Path) -> str:
    """The absolute form of a path that is relative to `base` or to a home folder."""
    try:
        return os.path.abspath(base / Path(path).expanduser())
    except RuntimeError:
        raise NotFoundError(f"'{path}' begins with the home folder of an unknown user.") from None


@contextlib.contextmanager
def file_errors(path: str | Path, done: str, remedy: str = "") -> Iterator[None]:
    """Turn the system's error about a file that cannot be `done` (read, written, deleted) into one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error).partition(" (os error")[0]  # Polars says it so
        raise FileError(f"{path} cannot be {done}: {reason}{remedy}.", path) from None


_STREAMS = ("/dev/fd/", "/dev/std", "/proc/")
"""Begins of the paths of pipes that somebody already writes to, as a shell makes them for `<(…)`."""


def refuse_endless(path: str | Path, name: str = "") -> None:
    """Refuse a pipe or a device, from which reading might never end; messages call it `name` instead of its path."""
    is_special = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    if is_special and not os.path.abspath(path).startswith(_STREAMS):
        raise FileError(f"{name or path} cannot be read: it is a pipe or a device, not a file.", path)


def read_text(path: str | Path, name: str = "") -> str:
    """The text of a UTF-8 file, without a byte order mark; messages call the file `name` instead of its path."""
    refuse_endless(path, name)
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise FileError(f"{name or path} cannot be read: {reason}.", path) from None


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file."""
    import tomllib  # few commands read TOML

    try:
        return tomllib.loads(read_text(path))
    except RecursionError:
        raise InvalidError(f"{path} cannot be read: its brackets are nested too deeply.") from None
    except ValueError as error:  # of numbers with thousands of digits too
        raise InvalidError(f"{path} is not TOML: {error}.") from None


def check_target(file: Path, endings: Collection[str] = ()) -> None:
    """Refuse a file that cannot be written, or whose ending names no format, before any work is done."""
    if endings and file.suffix.lower() not in endings:
        raise InvalidError(f"{file} has no ending that names a format: use {', '.join(endings)}.")
    if not file.parent.is_dir():
        raise FileError(f"{file} cannot be written: the folder {file.parent} does not exist.", file)
    if file.exists() and not file.is_file():  # it could be replaced, but nobody wants that of /dev/null
        raise FileError(f"{file} cannot be written: it is not a regular file.", file)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, replacing the old content only once the new content is complete."""
    with replaced(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file to write, with the same ending, which takes the place of `path` once it is complete."""
    target = path.resolve()  # keep symbolic links
    if target.exists() and not target.is_file():  # such as /dev/stdout
        with file_errors(path, "written"):
            yield target
        return
    part = target.with_name(f"{target.stem}.part{target.suffix}")
    try:
        with file_errors(path, "written"):
            yield part
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[Path]:
    """A folder to write files into, which move into `folder` once all are complete; files of the same name go."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder} is not a folder: name another one.", folder)
    part = folder / ".part"
    made = not folder.exists()
    try:
        with file_errors(folder, "written"):
            part.mkdir(parents=True, exist_ok=True)
            yield part
            for file in sorted(part.iterdir()):
                file.replace(folder / file.name)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if made:
            with contextlib.suppress(OSError):
                folder.rmdir()  # which only succeeds if it is empty


def _home() -> Path | None:
    home = os.environ.get("LUDUS_HOME")
    return Path(home) if home else None
