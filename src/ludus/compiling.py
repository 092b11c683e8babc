"""Compiled functions: how they are compiled, where their machine code is kept, and their interpreted twins."""

import ast
import contextlib
import hashlib
import importlib.metadata
import os
import pickle
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import filelock
import platformdirs
from numba import config, njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

# Numba's private parts below (_nrt, _cache, CompileResult._reduce) are why its version is pinned.


def compiled(function: Callable[..., Any], *, allocates: bool = False) -> Any:
    """Compile lazily for each signature, keep the result on disk for each signature.

    Without `allocates` the code has no reference counts: it must not create arrays, and runs several times as fast.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": True}
    if not allocates:
        options["_nrt"] = False
    dispatcher = njit(**options)(function)
    dispatcher._cache = SignatureCache(function)
    return dispatcher


def stays_compiled(dispatcher: Any) -> Any:
    """Mark a compiled function that interpreted twins call as it is: the random generator, the clock."""
    dispatcher.stays_compiled = True
    return dispatcher


def cache_folder() -> Path:
    """Where machine code is kept: under LUDUS_HOME if that is set, else in the user's cache folder."""
    home = os.environ.get("LUDUS_HOME")
    return (Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("ludus"))) / "compiled"


@contextlib.contextmanager
def compiling_lock() -> Iterator[None]:
    """Hold this while compiling, so that programs started together compile once."""
    folder = cache_folder()
    lock = filelock.FileLock(folder / "lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except OSError:  # nowhere to write: compile without a cache, and alone
        yield
        return
    try:
        yield
    finally:
        lock.release()


class SignatureCache(NullCache):
    """One file for each function and signature, named by the sources that went into it.

    Numba's own index keeps all signatures of a function together: a user's game that is gone breaks it for every game,
    and an edited rule is not noticed.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def _paths(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        args = signature if isinstance(signature, tuple) else signature.args
        classes = sorted(f"{c.__module__}.{c.__qualname__}" for c in _state_classes(args))
        build = (importlib.metadata.version("numba"), sys.version, codegen.magic_tuple(), bool(config.BOUNDSCHECK))
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        kind = _digest(repr((str(args), classes, build)))
        modules = {self._function.__module__, *(c.__module__ for c in _state_classes(args))}
        return cache_folder() / f"{name}-{kind}-{_digest(*(sources(m) for m in sorted(modules)))}", f"{name}-{kind}-"

    def load_overload(self, signature: Any, context: Any) -> Any:
        context.refresh()
        path, _ = self._paths(signature, context.codegen())
        try:
            payload = pickle.loads(path.read_bytes())
        except OSError:
            return None
        except Exception:  # a file cut short by a full disk: compile again
            return None
        return CompileResult._rebuild(context, *payload)

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.lifted or result.library.has_dynamic_globals:
            return
        path, family = self._paths(signature, result.codegen)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(dumps(result._reduce()))
            os.replace(temporary, path)
            for old in path.parent.glob(f"{family}*"):
                if old != path:
                    old.unlink(missing_ok=True)
        except OSError:
            return


def _state_classes(args: tuple[Any, ...]) -> set[type]:
    return {t.instance_class for t in args if hasattr(t, "instance_class")}


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


@cache
def sources(name: str) -> str:
    """A digest of a module's source and of everything it imports that is not an installed library."""
    found: dict[str, bytes] = {}
    pending = [name]
    while pending:
        module = sys.modules.get(pending.pop())
        if module is None or module.__name__ in found or not _is_ours(module):
            continue
        text = Path(str(module.__file__)).read_bytes()
        found[module.__name__] = text
        pending.extend(_imports(module, text))
    return _digest(*(f"{key}={hashlib.sha256(found[key]).hexdigest()}" for key in sorted(found)))


def _is_ours(module: types.ModuleType) -> bool:
    if module.__name__.split(".")[0] == __package__:
        return True
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py"):
        return False
    return not any(Path(file).is_relative_to(prefix) for prefix in {sys.prefix, sys.base_prefix})


def _imports(module: types.ModuleType, text: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
            for _ in range(node.level - 1):
                package = package.rpartition(".")[0]
            base = f"{package}.{node.module}".rstrip(".") if node.level and node.module else node.module or package
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


_twins: dict[Any, Callable[..., Any]] = {}


def interpreted(function: Any) -> Callable[..., Any]:
    """The Python twin of a compiled function, with every compiled helper and rule that it calls.

    `py_func` alone still calls compiled helpers, which refuse a state that is a Python object.
    """
    if hasattr(function, "interpreted"):
        return function.interpreted  # type: ignore[no-any-return]
    if not isinstance(function, Dispatcher) or hasattr(function, "stays_compiled"):
        return function  # type: ignore[no-any-return]
    if function not in _twins:
        source = function.py_func
        scope = dict(source.__globals__)
        _twins[function] = twin = types.FunctionType(
            source.__code__, scope, source.__name__, source.__defaults__, source.__closure__
        )
        twin.__kwdefaults__ = source.__kwdefaults__
        for name in source.__code__.co_names:
            if callable(scope.get(name)):
                scope[name] = interpreted(scope[name])
    return _twins[function]
