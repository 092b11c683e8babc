"""Entry points of what is installed, read anew only when something else is installed."""

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ludus.core.notes import Notes, notes


class Entry(NamedTuple):
    """An entry point: its name and what it names, MODULE or MODULE:ATTRIBUTE."""

    name: str
    value: str

    @property
    def module(self) -> str:
        """The module that is named, or that holds what is."""
        return self.value.partition(":")[0].strip()

    @property
    def attribute(self) -> str:
        """What is named in the module; empty if it is the module itself."""
        return self.value.partition(":")[2].partition("[")[0].strip()


def entries(group: str) -> list[Entry]:
    """The entry points of a group; of a distribution that is installed twice, those of the first on Python's path."""
    return [Entry(*entry) for groups in _distributions().values() for entry in groups.get(group, ())]


@cache
def _distributions() -> Mapping[str, Mapping[str, list[tuple[str, str]]]]:
    found: dict[str, Mapping[str, list[tuple[str, str]]]] = {}
    with notes() as kept:
        for folder in dict.fromkeys(sys.path):
            for name, groups in _installed_in(Path(folder), kept).items():
                found.setdefault(name, groups)
    return found


def _installed_in(folder: Path, kept: Notes) -> Mapping[str, Mapping[str, list[tuple[str, str]]]]:
    """The entry points of Ludus that the distributions in a folder have, by the distribution and the group."""
    try:
        files = [file.stat().st_mtime_ns for file in folder.glob("*.*-info/entry_points.txt")]
        stamp = [folder.stat().st_mtime_ns, len(files), max(files)] if files else None
    except OSError:
        stamp = None
    return {} if stamp is None else kept.of(str(folder.absolute()), stamp, lambda: _read(folder))


def _read(folder: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
    from importlib.metadata import distributions  # which takes its time to import

    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for distribution in distributions(path=[str(folder)]):
        for entry in distribution.entry_points:
            if entry.group.startswith("ludus."):
                groups = found.setdefault(distribution.metadata["Name"], {})
                groups.setdefault(entry.group, []).append((entry.name, entry.value))
    return found
