"""Generic functions, found by the type of the state, and the decorator that compiles and registers a game's versions.

From Python a version is looked up; in compiled code Numba's overloads find it while typing, so a call costs nothing.
"""

import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import overload

from ludus.compiling import compiled, holds_rules, interpreted
from ludus.errors import LudusError
from ludus.spec import did_you_mean

Function = TypeVar("Function", bound=Callable[..., Any])

_versions: dict[str, dict[type, Any]] = {}
_parameters: dict[str, list[str]] = {}
_named: dict[str, type] = {}


def is_array_state(state_type: type) -> bool:
    """Whether states of this type are tuples of arrays, so that their rules are compiled."""
    return issubclass(state_type, tuple)


def provides(state_type: type, name: str) -> bool:
    """Whether a game has a version of its own of the rule `name`."""
    return state_type in _versions[name]


def rule_names() -> list[str]:
    """The names of all rules, in the order of their declaration."""
    return list(_parameters)


def allocates(state_type: type, name: str) -> bool:
    """Whether a game's own version of a rule opted for reference counts with `@rule(allocates=True)`."""
    return provides(state_type, name) and bool(_versions[name][state_type].targetoptions["_nrt"])


def generic(*, default: bool = False) -> Callable[[Function], Function]:
    """Declare a generic function; with `default`, its body serves every game that has no version of its own."""

    def declare(stub: Function) -> Function:
        name = stub.__name__
        versions = _versions.setdefault(name, {})
        parameters = _parameters[name] = list(inspect.signature(stub).parameters)
        arguments = ", ".join(parameters)
        fallback = compiled(stub) if default else None
        twins: dict[type, Any] = {}

        def version_of(state_type: type) -> Any:
            version = versions.get(state_type, fallback)
            if version is None:
                raise LudusError(
                    f"{state_type.__qualname__} in {state_type.__module__} has no rule '{name}': "
                    f"write @rule def {name}({arguments})."
                )
            return version

        def call(state: Any, *rest: Any) -> Any:
            version = version_of(type(state))
            if version is fallback and not is_array_state(type(state)):
                version = interpreted(version)
            return version(state, *rest)

        def call_interpreted(state: Any, *rest: Any) -> Any:
            twin = twins.get(type(state))
            if twin is None:
                twin = twins[type(state)] = interpreted(version_of(type(state)))
            return twin(state, *rest)

        call.__name__ = call_interpreted.__name__ = name
        call.__doc__ = stub.__doc__
        call.interpreted = call_interpreted  # type: ignore[attr-defined]

        def find(state_type: Any) -> Any:
            known = getattr(state_type, "instance_class", None)
            return known and version_of(known)

        # Numba matches an overload's parameters by name, so its typing function is written out for each rule.
        scope: dict[str, Any] = {"find": find}
        exec(
            f"def typing({arguments}):\n"
            f"    version = find({parameters[0]})\n"
            f"    return version and (lambda {arguments}: version({arguments}))",
            scope,
        )
        overload(call)(scope["typing"])
        return typing.cast(Function, call)

    return declare


def rule(function: Any = None, *, allocates: bool = False) -> Any:
    """Register a game's version of a generic function; its first parameter is annotated with the state's class.

    Rules of array states are compiled without reference counts, so they cannot create arrays: take scratch space with
    `room`, or opt out with `@rule(allocates=True)` and pay for it.
    """
    if function is None:
        return lambda f: rule(f, allocates=allocates)
    name, where = function.__name__, f"{function.__module__}.{function.__qualname__}"
    if name not in _parameters:
        raise LudusError(f"@rule on {where}: there is no rule '{name}'{did_you_mean(name, _parameters)}.")
    given = list(inspect.signature(function).parameters)
    if given != _parameters[name]:
        raise LudusError(
            f"@rule on {where}: its parameters are ({', '.join(given)}), not ({', '.join(_parameters[name])})."
        )
    state_type = inspect.get_annotations(function, eval_str=True).get(given[0])
    if not isinstance(state_type, type):
        raise LudusError(f"@rule on {where}: annotate '{given[0]}' with the state's class, so that the rule is found.")
    _keep_apart(state_type)
    version = compiled(function, allocates=allocates) if is_array_state(state_type) else function
    holds_rules(function.__module__, state_type)
    _versions[name][state_type] = version
    return version


def _keep_apart(state_type: type) -> None:
    """Give a state class a name that no other one has: Numba's dispatchers tell named tuples apart by name alone."""
    number = 1
    while _named.setdefault(state_type.__name__, state_type) is not state_type:
        number += 1
        state_type.__name__ = f"{state_type.__qualname__}_{number}"
