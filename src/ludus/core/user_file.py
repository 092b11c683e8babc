"""Games and agents in users' files."""

import ast
import contextlib
import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.failures import gist, users_folders
from ludus.core.paths import in_full
from ludus.core.registry import classes_in
from ludus.core.spec import Configurable, Spec, parse_agent
from ludus.core.text import did_you_mean

Kind = TypeVar("Kind", bound=Configurable)


def class_in_file(kind: type[Kind], file: str, name: str, hint: str = "") -> type[Kind]:
    """The class in a file, or the one with the given name, which may be omitted if it is the only one.

    `hint` ends the message about a file without such a class.
    """
    classes = {c.__name__: c for c in classes_in(kind, import_file(file))}
    if not classes:
        raise InvalidError(f"{file} has no {kind.noun}: derive a class with a name from ludus.{kind.__name__}{hint}.")
    if not name and len(classes) > 1:
        raise InvalidError(f"{file} has several {kind.noun}s: write {file}:{next(iter(classes))}.")
    if name and name not in classes:
        raise NotFoundError(f"{file} has no {kind.noun} '{name}'{did_you_mean(name, classes)}.")
    found = classes[name] if name else next(iter(classes.values()))
    found.origin = f"{file}:{found.__name__}"
    return found


def is_script(path: str) -> bool:
    """True if a file's source derives no class: it cannot have a game or an agent, and may be a bot."""
    try:
        nodes = ast.walk(ast.parse(Path(path).read_bytes()))
        return not any(isinstance(node, ast.ClassDef) and node.bases for node in nodes)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False  # importing it reports the error


# --- Trust --------------------------------------------------------------------------------------------------------

_held_back: dict[Path, str] = {}
"""Files that must not be loaded, and why: only others have named them, not the user."""
_trusted: set[Path] = set()
"""Files that the user named or trusts."""


def hold_back(specs: Iterable[str], named_by: str, remedy: str) -> None:
    """Load no file that only these specs name, which others wrote: to load a file is to run it.

    Messages say what the specs were `named_by`, and the `remedy`.
    """
    for file in _named_in(specs) - _trusted:
        _held_back.setdefault(file, f"{named_by} names it, and loading it runs it; {remedy} if you trust it")


def held_back() -> dict[str, str]:
    """The files that are held back, and why, for another process."""
    return {str(file): reason for file, reason in _held_back.items()}


def hold_back_too(files: Mapping[str, str]) -> None:
    """Hold back what another process does."""
    _held_back.update((Path(file), reason) for file, reason in files.items())


def trust_files(specs: Iterable[str]) -> None:
    """Load the files that these specs name, because the user wrote or trusts them."""
    for file in _named_in(specs):
        _trusted.add(file)
        _held_back.pop(file, None)


def names_files(specs: Iterable[str]) -> bool:
    """True if one of these specs names a file."""
    return bool(_named_in(specs))


def _named_in(specs: Iterable[str]) -> set[Path]:
    return {file for spec in specs if ".py" in spec for file in _files_in(spec)}


def _files_in(spec: str) -> set[Path]:
    """The file in the spec of a game or an agent, in all ways in which it may be looked for."""
    found = set()
    for parse in (parse_agent, Spec.parse):
        with contextlib.suppress(LudusError, OSError, ValueError):
            if (file := parse(spec).file) is not None:
                found |= {Path(file).resolve(), Path(in_full(file, Path())).resolve()}
    return found


# --- Import -------------------------------------------------------------------------------------------------------


def _refuse_strangers(file: Path) -> None:
    """Refuse a file that imports a module beside it, if a module of that name beside another file was imported before.

    Imports within these modules are not checked.
    """
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        for name in (name.partition(".")[0] for name in names):
            taken = Path(getattr(sys.modules.get(name), "__file__", None) or "")
            folder = taken.parent.parent if taken.name == "__init__.py" else taken.parent
            has_own = any((file.parent / beside).is_file() for beside in (f"{name}.py", f"{name}/__init__.py"))
            if has_own and folder in users_folders - {file.parent}:
                raise InvalidError(
                    f"{file} would import {taken} instead of the module {name} beside it: rename one of the two."
                )


def import_file(path: str) -> ModuleType:
    """Import a user's file under a name derived from its path, the same in every process.

    Like a script, it may import modules beside it.
    """
    file = Path(path).resolve()
    name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if file in _held_back:
        raise InvalidError(f"{path} is not loaded: {_held_back[file]}.")
    if not os.path.isfile(file):  # unlike pathlib's, it accepts a text that cannot be a path
        raise NotFoundError(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    users_folders.add(file.parent)
    try:
        spec.loader.exec_module(module)
        _refuse_strangers(file)
    except LudusError:
        del sys.modules[name]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InvalidError(f"{path} cannot be imported: {gist(error)}.") from error
    return module
