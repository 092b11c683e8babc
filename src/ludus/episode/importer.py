"""Readers of other programs' files that hold episodes."""

from pathlib import Path
from typing import ClassVar

from ludus.core.errors import InvalidError
from ludus.core.paths import file_errors, refuse_pipe
from ludus.core.registry import classes
from ludus.episode.record import Record


class Importer:
    """A reader of one form of such files."""

    noun: ClassVar[str] = "importer"
    name: ClassVar[str] = ""
    files: ClassVar[str] = ""
    """A name of such a file, as in `log of spe_ed`."""
    form: ClassVar[str] = ""
    """A short description of its content."""

    def read(self, file: Path, data: bytes) -> tuple[Record, int] | None:
        """Read the episode in a file: its record, and about how many nanoseconds it took; None if the form differs."""
        raise NotImplementedError


def import_episode(file: Path) -> tuple[Record, int]:
    """Read the episode in a file of any known form: its record, and about how many nanoseconds it took."""
    refuse_pipe(file)
    with file_errors(file, "read"):
        data = file.read_bytes()
    importers = [importer() for importer in classes(Importer).values()]
    for importer in importers:
        if (found := importer.read(file, data)) is not None:
            return found
    known = " or ".join(importer.files for importer in importers) or "file that can be imported"
    form = f": it should be {' or '.join(importer.form for importer in importers)}" if importers else ""
    raise InvalidError(
        f"{file} is not a {known}{form}; a tournament is imported from the folder of 'ludus store export --json'."
    )
