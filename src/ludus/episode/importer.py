"""Files of other programs that hold episodes, read into records."""

from pathlib import Path
from typing import ClassVar

from ludus.core.errors import InvalidError
from ludus.core.paths import file_errors
from ludus.core.registry import classes
from ludus.episode.record import Record


class Importer:
    """A form of such files."""

    noun: ClassVar[str] = "importer"
    name: ClassVar[str] = ""
    files: ClassVar[str] = ""
    """One of them, as in `log of spe_ed`."""
    form: ClassVar[str] = ""
    """What it consists of."""

    def read(self, file: Path, data: bytes) -> tuple[Record, int] | None:
        """The record of the episode in a file, and about how many nanoseconds it took; None if it has another form."""
        raise NotImplementedError


def import_episode(file: Path) -> tuple[Record, int]:
    """The record of the episode in a file of any form that is known, and about how many nanoseconds it took."""
    with file_errors(file, "read"):
        data = file.read_bytes()
    importers = [importer() for importer in classes(Importer).values()]
    for importer in importers:
        if (found := importer.read(file, data)) is not None:
            return found
    known = " or ".join(importer.files for importer in importers) or "file that can be imported"
    form = f": it should be {' or '.join(importer.form for importer in importers)}" if importers else ""
    raise InvalidError(
        f"{file} is no {known}{form}; of a tournament, give the folder that 'ludus store export --json' wrote."
    )
