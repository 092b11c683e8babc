"""Finding formats: every module of this package may hold some."""

import importlib
import inspect
import pkgutil
from functools import cache

import ludus.tournaments.formats
from ludus.core.errors import NotFoundError
from ludus.core.spec import Spec
from ludus.core.text import did_you_mean
from ludus.tournaments.formats.format import Format


@cache
def formats() -> dict[str, type[Format]]:
    """Every format, by name."""
    found: dict[str, type[Format]] = {}
    for module in pkgutil.iter_modules(ludus.tournaments.formats.__path__, "ludus.tournaments.formats."):
        for cls in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(cls) and issubclass(cls, Format) and cls.__module__ == module.name and cls.name:
                found[cls.name] = cls
    return dict(sorted(found.items()))


def format_from(text: str) -> Format:
    """The format that a spec names."""
    spec = Spec.parse(text)
    found = formats()
    if spec.file is not None or spec.name not in found:
        name = spec.file or spec.name
        raise NotFoundError(f"There is no format '{name}'{did_you_mean(name, found)}; there are {', '.join(found)}.")
    return found[spec.name].from_spec(spec)


def default_format(seats: int) -> str:
    """The format that suits games of so many players best."""
    return {1: "solo", 2: "double-round-robin"}.get(seats, "seatings")
