"""Entry points of installed packages, read again only if the installed packages change."""

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ludus.core.notes import Notes, notes


class Entry(NamedTuple):
    """An entry point: its name and its value, MODULE or MODULE:ATTRIBUTE."""

    name: str
    value: str

    @property
    def module(self) -> str:
        """The module in the value."""
        return self.value.partition(":")[0].strip()

    @property
    def attribute(self) -> str:
        """The attribute in the value; empty if the value is a module."""
        return self.value.partition(":")[2].partition("[")[0].strip()


def entries(group: str) -> list[Entry]:
    """The entry points of a group; if a distribution is installed twice, those of the first on Python's path."""
    return [Entry(*entry) for groups in _distributions().values() for entry in groups.get(group, ())]


def packages() -> set[str]:
    """The top-level packages, or modules, that entry points name."""
    found = {
        Entry(*entry).module for groups in _distributions().values() for group in groups.values() for entry in group
    }
    return {module.partition(".")[0] for module in found}


@cache
def _distributions() -> Mapping[str, Mapping[str, list[tuple[str, str]]]]:
    found: dict[str, Mapping[str, list[tuple[str, str]]]] = {}
    with notes() as kept:
        for folder in dict.fromkeys(sys.path):
            for name, groups in _installed_in(Path(folder), kept).items():
                found.setdefault(name, groups)
    return found


def _installed_in(folder: Path, kept: Notes) -> Mapping[str, Mapping[str, list[tuple[str, str]]]]:
    """Entry points of Ludus in the distributions of a folder, by distribution and group."""
    try:
        files = [file.stat().st_mtime_ns for file in folder.glob("*.*-info/entry_points.txt")]
        stamp = [folder.stat().st_mtime_ns, len(files), max(files)] if files else None
    except OSError:
        stamp = None
    return {} if stamp is None else kept.of(str(folder.absolute()), stamp, lambda: _read(folder))


def _read(folder: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
    from importlib.metadata import distributions  # slow to import

    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for distribution in distributions(path=[str(folder)]):
        for entry in distribution.entry_points:
            if entry.group.startswith("ludus."):
                groups = found.setdefault(distribution.metadata["Name"], {})
                groups.setdefault(entry.group, []).append((entry.name, entry.value))
    return found
