"""Generic functions, selected by the type of the state, and the decorator that registers a game's versions.

In Python the version is looked up; in compiled code Numba selects it while typing, so a call costs nothing.
"""

import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import infer_global
from numba.extending import models, register_model

from ludus.core.errors import InvalidError
from ludus.core.text import did_you_mean
from ludus.kernel.jit import compiled, holds_rules, interpreted

Function = TypeVar("Function", bound=Callable[..., Any])

_versions: dict[str, dict[type, Any]] = {}
_parameters: dict[str, list[str]] = {}
_named: dict[str, type] = {}


def is_array_state(state_type: type) -> bool:
    """True if states of this type are tuples of arrays, so that their rules are compiled."""
    return issubclass(state_type, tuple)


def provides(state_type: type, name: str) -> bool:
    """True if a game has its own version of the rule `name`."""
    return state_type in _versions[name]


def rule_names() -> list[str]:
    """The names of all rules, in the order of their declaration."""
    return list(_parameters)


def allocates(state_type: type, name: str) -> bool:
    """True if a game's own version of a rule uses reference counts, by `@rule(allocates=True)`."""
    return provides(state_type, name) and bool(_versions[name][state_type].targetoptions["_nrt"])


class _Rule(types.Callable, types.Dummy):
    """A generic function in compiled code: calling it calls the version for the state's type.

    An overload of Numba's would do the same with one more compiled function per version.
    """

    def __init__(self, name: str, version_of: Callable[[type], Any]) -> None:
        super().__init__(f"rule({name})")
        self._version_of = version_of

    def _version(self, arguments: Any) -> Any:
        state_type = getattr(arguments[0], "instance_class", None) if arguments else None
        if state_type is None:
            raise TypingError(f"{self.name} needs a state as its first argument")
        return types.Dispatcher(self._version_of(state_type))

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._version(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return self._version(sig.args).get_impl_key(sig)


register_model(_Rule)(models.OpaqueModel)


def generic(*, default: bool = False) -> Callable[[Function], Function]:
    """Declare a generic function; with `default`, its body serves every game without its own version."""

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
                raise InvalidError(
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

        infer_global(call, _Rule(name, version_of))
        return typing.cast(Function, call)

    return declare


def rule(function: Any = None, *, allocates: bool = False) -> Any:
    """Register a game's version of a generic function; its first parameter is annotated with the state's class.

    Rules of array states are compiled without reference counts, so they cannot create arrays: use scratch space from
    `room`, or opt out with `@rule(allocates=True)`, which is slower.
    """
    if function is None:
        return lambda f: rule(f, allocates=allocates)
    name, where = function.__name__, f"{function.__module__}.{function.__qualname__}"
    if name not in _parameters:
        raise InvalidError(f"@rule on {where}: there is no rule '{name}'{did_you_mean(name, _parameters)}.")
    given = list(inspect.signature(function).parameters)
    if given != _parameters[name]:
        raise InvalidError(
            f"@rule on {where}: its parameters are ({', '.join(given)}), not ({', '.join(_parameters[name])})."
        )
    state_type = inspect.get_annotations(function, eval_str=True).get(given[0])
    if not isinstance(state_type, type):
        raise InvalidError(
            f"@rule on {where}: annotate '{given[0]}' with the state's class, so that the rule is found."
        )
    _keep_apart(state_type)
    version = compiled(function, allocates=allocates) if is_array_state(state_type) else function
    holds_rules(function.__module__, state_type)
    _versions[name][state_type] = version
    return version


def _keep_apart(state_type: type) -> None:
    """Give a state class a unique name, because Numba's dispatchers distinguish named tuples by name alone."""
    number = 1
    while _named.setdefault(state_type.__name__, state_type) is not state_type:
        number += 1
        state_type.__name__ = f"{state_type.__qualname__}_{number}"
