"""Find classes by name: built in, installed beside Ludus, or in a user's file.

Entry points in groups such as `ludus.games` name a class, a module, or a package whose modules and sub-packages hold
classes. The built-in ones use the same mechanism, so a new module below such a package is found without an entry. Names
are read from sources, for example `name = "hex"` in a class, and only the module that is named is imported.
"""

import ast
import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Protocol, TypeVar

from ludus.core.entry_points import Entry, entries
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.notes import Notes, notes
from ludus.core.text import did_you_mean


class Named(Protocol):
    """A kind of class named by entry points: the group is `ludus.` and the noun in the plural."""

    name: ClassVar[str]
    noun: ClassVar[str]


Kind = TypeVar("Kind", bound=Named)


@dataclass(frozen=True)
class _Place:
    """The location of a class."""

    module: str
    attribute: str

    def load(self) -> Any:
        return getattr(importlib.import_module(self.module), self.attribute)


_broken: dict[str, str] = {}
"""Installed packages that cannot be used, by the value of the entry point or the module."""


def names(noun: str) -> list[str]:
    """The names of all games, agents and so on, sorted."""
    return sorted(_places(noun))


def find(kind: type[Kind], name: str, noun: str = "") -> type[Kind]:
    """Find the class with a name; `noun` overrides that of the kind."""
    noun = noun or kind.noun
    places = _places(noun)
    if name not in places:
        broken = "".join(f"; {sentence}" for sentence in _broken.values())
        raise NotFoundError(
            f"There is no {noun} '{name}'{did_you_mean(name, places)}; 'ludus list {noun}s' lists them all{broken}."
        )
    try:
        found = places[name].load()
    except LudusError:
        raise
    except Exception as error:
        raise LudusError(f"The {noun} '{name}' cannot be used: {_why(places[name].module, error)}.") from error
    if not (inspect.isclass(found) and issubclass(found, kind)):
        raise InvalidError(f"{places[name].module} has a class with the name '{name}' that is not of a {noun}.")
    return found


@cache
def classes(kind: type[Kind]) -> dict[str, type[Kind]]:
    """Every class of a kind, by name, without classes that cannot be imported."""
    found = {}
    for name in names(kind.noun):
        try:
            found[name] = find(kind, name)
        except Exception as error:
            module = _places(kind.noun)[name].module
            _broken[module] = _why(module, error)
    return found


def classes_in(kind: type[Kind], module: ModuleType) -> list[type[Kind]]:
    """The classes of a kind that a module defines, if they have a name."""
    found = [c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, kind)]
    return [c for c in found if c.__module__ == module.__name__ and c.name]


@cache
def _places(noun: str) -> dict[str, _Place]:
    found: dict[str, _Place] = {}
    with notes() as kept:
        for entry in entries(f"ludus.{noun}s"):
            places = _read(entry, noun, kept) or _imported(entry.module, entry.attribute, noun)
            if not places:
                _broken.setdefault(entry.module, f"{entry.value} has no {noun}")
            found |= places
    return found


def _read(entry: Entry, noun: str, kept: Notes) -> dict[str, _Place]:
    """Classes found in the sources of an entry point; a module with names that its source does not show is imported."""
    found: dict[str, _Place] = {}
    for module, file in sources(entry.module):
        about = file.stat()
        cached = kept.of(str(file), [about.st_mtime_ns, about.st_size], partial(names_in, file))
        places = {name: _Place(module, attribute) for name, attribute in (cached or {}).items()}
        found |= _imported(module, "", noun) if cached is None else places
    return {name: place for name, place in found.items() if entry.attribute in ("", place.attribute)}


def _imported(name: str, attribute: str, noun: str) -> dict[str, _Place]:
    """Classes of a module that must be imported to find them, or the requested one."""
    try:
        module = importlib.import_module(name)
        things = [getattr(module, attribute)] if attribute else vars(module).values()
    except Exception as error:
        # A broken package: reported when a name is not found, but no reason to refuse all others.
        _broken[name] = _why(name, error)
        return {}
    classes: list[Any] = [c for c in things if inspect.isclass(c) and getattr(c, "noun", "") == noun]
    return {c.name: _Place(name, c.__name__) for c in classes if c.name and (attribute or c.__module__ == name)}


def _why(what: str, error: Exception) -> str:
    return f"{what} cannot be imported: {type(error).__name__}: {error}"


def sources(module: str) -> Iterator[tuple[str, Path]]:
    """The source files of a module, or of a package with its sub-packages, if found without importing."""
    top, *parts = module.split(".")
    try:
        spec = importlib.util.find_spec(top)  # imports nothing
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        yield from _below(module, Path(folder, *parts))
    if spec.submodule_search_locations is None and not parts and (spec.origin or "").endswith(".py"):
        yield module, Path(str(spec.origin))


def _below(module: str, path: Path) -> Iterator[tuple[str, Path]]:
    if (file := path.parent / f"{path.name}.py").is_file():
        yield module, file
    elif (file := path / "__init__.py").is_file():
        yield module, file
        for child in sorted(path.iterdir()):
            if child.stem not in ("__init__", "__main__") and (child.suffix == ".py" or child.is_dir()):
                yield from _below(f"{module}.{child.stem}", child.with_suffix(""))


def names_in(file: Path) -> dict[str, str] | None:
    """The classes of a module by their names; None if the source does not define all names literally."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError):
        return None
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.If | ast.Try) and any(isinstance(inner, ast.ClassDef) for inner in ast.walk(node)):
            return None
        if isinstance(node, ast.ClassDef) and node.bases and (value := _name_of(node)) is not None:
            if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                return None
            if value.value:
                found[value.value] = node.name
    return found


def _name_of(node: ast.ClassDef) -> ast.expr | None:
    """The name that a class assigns to itself, unless that is a field with a default."""
    found = None
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and "ClassVar" in ast.unparse(statement.annotation):
            targets = [statement.target]
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == "name" for target in targets):
            found = statement.value
    return found
