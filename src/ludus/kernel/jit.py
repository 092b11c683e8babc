"""Compiled functions: compilation, the cache of machine code, and interpreted versions."""

import ast
import contextlib
import hashlib
import importlib.metadata
import os
import pickle
import shutil
import sys
import sysconfig
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import filelock
import numpy as np
from numba import config, njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.types.misc import unliteral

from ludus.core import paths
from ludus.core.private import is_own, make_folder

# Numba's version is pinned because of the private parts below (_nrt, _cache, get_call_template, CompileResult._reduce).


def compiled(function: Callable[..., Any], *, allocates: bool = False) -> Any:
    """Compile a function lazily for each signature, and keep the results on disk.

    Without `allocates` the code has no reference counts: it must not create arrays, and runs several times as fast.
    """
    # Without the unused wrapper for C, everything compiles in nine tenths of the time.
    options = {"nogil": True, "error_model": "numpy", "forceinline": True, "no_cfunc_wrapper": True, "_nrt": allocates}
    dispatcher = njit(**options)(function)
    dispatcher._cache = SignatureCache(function)
    _take_numbers_alike(dispatcher)
    _text(function.__module__)
    return dispatcher


def _take_numbers_alike(dispatcher: Any) -> None:
    """Compile a call with a literal number, as in `legal(state, 0, out)`, like one with a variable.

    Numba would compile a version for each such number; since versions are inlined, they would not be faster.
    """
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
    )


_entries: dict[tuple[Any, ...], Callable[..., Any]] = {}


def entry(function: Any, *arguments: Any) -> Callable[..., Any]:
    """The machine code of a compiled function for arguments like these, to be called with such arguments only.

    A call of the function itself first finds the type of every array, which takes longer than a short kernel.
    """
    if not isinstance(function, Dispatcher):
        return function  # an interpreted twin
    key = (function, *map(_likeness, arguments))
    if key not in _entries:
        _entries[key] = function.compile(tuple(map(function.typeof_pyval, arguments)))
    return _entries[key]


def _likeness(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument), *map(_likeness, argument)
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    return type(argument)


def stays_compiled(dispatcher: Any) -> Any:
    """Mark a compiled function that interpreted twins call unchanged: the random generator, the clock."""
    dispatcher.stays_compiled = True
    return dispatcher


_OLD_FOLDER = "compiled"
"""Cache folder of version 0.1.0, no longer used."""


def cache_folder() -> Path:
    """The cache folder of the machine code."""
    return paths.cache_folder() / "machine-code"


@contextlib.contextmanager
def compiling_lock(what: str, *, wait: bool = True) -> Iterator[bool]:
    """Hold a lock while compiling, so that programs started together compile everything once.

    Without `wait`, yields False at once if another program holds it.
    """
    file = paths.cache_folder() / "locks" / _digest(what.encode())
    with contextlib.ExitStack() as held:
        try:
            make_folder(file.parent)
            held.enter_context(filelock.FileLock(file, is_singleton=True).acquire(timeout=-1 if wait else 0))
        except filelock.Timeout:
            yield False
            return
        except (OSError, NotImplementedError):  # not writable: compile without a cache or a lock
            pass
        yield True


class SignatureCache(NullCache):
    """One file for each function and signature, named by a digest of its sources.

    Numba's own index keeps all signatures of a function together: a missing user's game would break it for every game,
    and an edited rule would not be noticed.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def _paths(self, signature: Any, codegen: Any) -> tuple[Path, str] | None:
        """The file of a signature, and the common prefix of all its files; None if a source is unknown."""
        args = signature if isinstance(signature, tuple) else signature.args
        classes = {t.instance_class for t in args if hasattr(t, "instance_class")}
        digest = _sources({self._function.__module__}.union(*(_modules_of(c) for c in classes)))
        if digest is None:
            return None
        names = sorted(f"{c.__module__}.{c.__qualname__}" for c in classes)
        build = (importlib.metadata.version("numba"), sys.version, codegen.magic_tuple(), bool(config.BOUNDSCHECK))
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        family = f"{name}-{_digest(repr((str(args), names, build)).encode())}-"
        return cache_folder() / f"{family}{digest}", family

    def load_overload(self, signature: Any, context: Any) -> Any:
        # Numba's own cache refreshes the context here, a quarter of the start-up time, without use for machine code.
        if not (paths := self._paths(signature, context.codegen())):
            return None
        try:
            with paths[0].open("rb") as file:
                if not (is_own(file.fileno()) and is_own(paths[0].parent)):
                    return None  # a user who can write here could have anything run
                check, _, payload = file.read().partition(b"\n")
        except OSError:
            return None
        if check != _digest(payload).encode():  # damaged: compile again
            return None
        return CompileResult._rebuild(context, *pickle.loads(payload))

    def save_overload(self, signature: Any, result: Any) -> None:
        paths = self._paths(signature, result.codegen)
        if not paths or result.lifted or result.library.has_dynamic_globals:
            return
        path, family = paths
        payload = dumps(result._reduce())
        with contextlib.suppress(OSError):
            if path.parent.exists() and not is_own(path.parent):
                shutil.rmtree(path.parent, ignore_errors=True)  # nobody knows who put what there
            is_new = not path.parent.exists()
            make_folder(path.parent)
            if is_new:
                shutil.rmtree(path.parent.with_name(_OLD_FOLDER), ignore_errors=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                try:
                    file.write(_digest(payload).encode() + b"\n" + payload)
                    file.close()
                    os.replace(file.name, path)
                except OSError:
                    os.unlink(file.name)
                    raise
            for old in path.parent.glob(f"{family}*"):
                if old != path:
                    old.unlink(missing_ok=True)


_rule_modules: dict[type, set[str]] = {}


def holds_rules(module: str, state_type: type) -> None:
    """Note that a module holds rules for a type of state: its source counts for all code compiled for that type."""
    _rule_modules.setdefault(state_type, set()).add(module)


def _modules_of(state_type: type) -> set[str]:
    return {state_type.__module__, *_rule_modules.get(state_type, ())}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _sources(roots: set[str]) -> str | None:
    """A digest of the sources of these modules and of everything they import.

    None if one of them has no readable source, such as a notebook: then nothing may be cached. An installed library
    counts by its version, or by its sources if it has none. The facade `ludus` and `ludus.core` do not count, because
    no machine code depends on them.
    """
    own = {_FACADE, *(root.partition(".")[0] for root in roots)}
    found: dict[str, str] = {}
    pending = list(roots)
    while pending:
        name = pending.pop()
        package = name.partition(".")[0]
        if name in found or name == _FACADE or name.startswith(f"{_FACADE}.core"):
            continue
        if package not in own and (version := _version(name)) is not None:
            found[package] = version
        elif (text := _text(name)) is not None:
            found[name] = _digest(text)
            pending.extend(_imports(name))
        elif name in roots:
            return None
    return _digest(repr(sorted(found.items())).encode())


_FACADE = __name__.partition(".")[0]
_STDLIB = sysconfig.get_path("stdlib")
_texts: dict[str, bytes] = {}


def _text(name: str) -> bytes | None:
    """The source of an imported module when it was first requested.

    A module with compiled functions is requested during its import, so that a later version of the file is not mistaken
    for the source of the code in memory.
    """
    if name not in _texts:
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        try:
            if not file.endswith(".py"):
                return None
            _texts[name] = Path(file).read_bytes()
        except OSError:
            return None
    return _texts[name]


def _version(name: str) -> str | None:
    """The version of the installed library of a module; empty for Python's own modules, None if unknown."""
    file = Path(getattr(sys.modules.get(name), "__file__", None) or "")
    if {"site-packages", "dist-packages"}.isdisjoint(file.parts):
        return "" if file.is_relative_to(_STDLIB) else None
    version = getattr(sys.modules.get(name.partition(".")[0]), "__version__", None)
    return version if isinstance(version, str) else None


@cache
def _imports(name: str) -> list[str]:
    """The modules that a module imports during its own import, and the names it imports, which may be modules too.

    Imports within functions do not count, because they differ from process to process.
    """
    found: list[str] = []
    pending: list[ast.AST] = [ast.parse(_texts[name])]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = sys.modules[name].__package__ or ""
            for _ in range(node.level - 1):
                package = package.rpartition(".")[0]
            base = f"{package}.{node.module}".strip(".") if node.level and node.module else node.module or package
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
        elif isinstance(node, ast.stmt | ast.Module | ast.excepthandler) and not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef
        ):
            pending += ast.iter_child_nodes(node)
    return found


_twins: dict[Any, Callable[..., Any]] = {}


def interpreted(function: Any) -> Callable[..., Any]:
    """The Python twin of a compiled function, with every compiled helper and rule that it calls.

    `py_func` alone would still call compiled helpers, which refuse states that are Python objects.
    """
    if hasattr(function, "interpreted"):
        return function.interpreted
    if not isinstance(function, Dispatcher) or hasattr(function, "stays_compiled"):
        return function
    if function not in _twins:
        source = function.py_func
        scope = dict(source.__globals__)
        _twins[function] = twin = types.FunctionType(
            source.__code__, scope, source.__name__, source.__defaults__, source.__closure__
        )
        twin.__kwdefaults__ = source.__kwdefaults__
        names = set(source.__code__.co_names)
        for name in names & scope.keys():
            value = scope[name]
            if isinstance(value, types.ModuleType):
                twins = {n: interpreted(vars(value)[n]) for n in names & vars(value).keys()}
                if any(twin is not vars(value)[n] for n, twin in twins.items()):
                    scope[name] = types.SimpleNamespace(**{**vars(value), **twins})
            else:
                scope[name] = interpreted(value)
    return _twins[function]
