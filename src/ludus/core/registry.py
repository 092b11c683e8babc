"""Finding games, agents and protocols: built in, installed beside Ludus, or in a file of the user's.

Entry points in the groups `ludus.games`, `ludus.agents` and `ludus.protocols` name a class, or a package whose modules
hold classes. The built-in ones come through the same door, so a new module below one of these packages is found without
an entry anywhere.
"""

import ast
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import pkgutil
import shlex
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Protocol, TypeVar

from ludus.agents.agent import Agent
from ludus.bots.bot import DEFAULT_PROTOCOL, RUN_BY_OTHERS, Bot
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.spec import Configurable, Spec, may_be_a_bot
from ludus.core.text import did_you_mean
from ludus.games.game import Game


class Named(Protocol):
    """A kind of class that entry points name: the group is `ludus.` and the noun in the plural."""

    name: ClassVar[str]
    noun: ClassVar[str]


Kind = TypeVar("Kind", bound=Configurable)
Found = TypeVar("Found", bound=Named)

_broken: list[str] = []
"""What is installed beside Ludus and does not work."""


def game_from(text: str, players: int | None = None) -> Game:
    """The game that a spec names; a parameter `players` that the spec leaves open takes the given number."""
    spec = Spec.parse(text)
    cls = _class_for(Game, spec, games)
    if players and "players" not in spec.options and any(p.name == "players" for p in cls.parameters()):
        players = max(cls.least_players, min(players, cls.most_players))
        spec = Spec(spec.name, spec.words, {**spec.options, "players": str(players)}, spec.file)
    return cls.from_spec(spec)


def agent_from(text: str) -> Agent:
    """The agent that a spec names, or the bot."""
    refuse_bare_command(text)
    spec = parse_agent(text)
    if spec.command is not None:
        return protocols()[spec.name].from_spec(spec)
    return _class_for(Agent, spec, agents).from_spec(spec)


def files_of(text: str) -> list[Path]:
    """The files that an agent is made of, as far as its spec tells: its own one, or those of a bot's command."""
    spec = parse_agent(text)
    if spec.command is not None:
        return protocols()[spec.name].from_spec(spec).files()
    return [] if spec.file is None else [Path(spec.file)]


def parse_agent(text: str) -> Spec:
    """The parts of the spec of an agent or a bot."""
    return Spec.parse(text, protocols() if may_be_a_bot(text) else ())


def refuse_bare_command(text: str, base: Path = Path()) -> None:
    """Refuse a command that names no protocol, such as `java -jar Bot.jar`, before it is taken for a name or a file."""
    spec = parse_agent(text)
    words = text.split()
    if spec.command is not None or len(words) < 2 or (spec.file is not None and os.path.isfile(base / spec.file)):
        return
    is_program = shutil.which(str(base / words[0]) if "/" in words[0] else words[0]) is not None
    if is_program or (spec.file is None and any(Path(word).suffix in RUN_BY_OTHERS for word in words)):
        raise NotFoundError(
            f"There is no agent '{text}'; a bot's command stands after its protocol: '{DEFAULT_PROTOCOL}:{text}'."
        )


@cache
def games() -> dict[str, type[Game]]:
    """Every game found, by name."""
    return _found(Game)


@cache
def agents() -> dict[str, type[Agent]]:
    """Every agent found, by name."""
    return _found(Agent)


@cache
def protocols() -> dict[str, type[Bot]]:
    """Every protocol found, by name; the first is the one of a path alone."""
    found = _found(Bot)
    return {DEFAULT_PROTOCOL: found[DEFAULT_PROTOCOL], **found}


def _class_for(kind: type[Kind], spec: Spec, all_of_them: Callable[[], dict[str, type[Kind]]]) -> type[Kind]:
    if spec.file is not None:
        return _class_in_file(kind, spec.file, spec.name)
    found = all_of_them()
    if spec.name not in found:
        raise NotFoundError(
            f"There is no {kind.noun} '{spec.name}'{did_you_mean(spec.name, found)}; "
            f"'ludus {kind.noun}s' lists them all{''.join(f'; {words}' for words in _broken)}."
        )
    return found[spec.name]


@cache
def classes(kind: type[Found]) -> dict[str, type[Found]]:
    """Every class of a kind found, by name."""
    return _found(kind)


def _found(kind: type[Found]) -> dict[str, type[Found]]:
    classes: dict[str, type[Found]] = {}
    for entry in importlib.metadata.entry_points(group=f"ludus.{kind.noun}s"):
        try:
            thing = entry.load()
            found = [c for module in _modules(thing) for c in _classes(kind, module)]
        except Exception as error:
            # Somebody's broken package: told when a name is not found, and no reason to refuse all others.
            _broken.append(f"{entry.value} cannot be imported: {type(error).__name__}: {error}")
            continue
        if inspect.isclass(thing) and issubclass(thing, kind) and thing.name:
            found.append(thing)
        if not found:
            _broken.append(f"{entry.value} holds no {kind.noun}")
        classes |= {cls.name: cls for cls in found}
    return dict(sorted(classes.items()))


def _modules(thing: Any) -> list[ModuleType]:
    """The modules that an entry point names: one, or those of a package; none if it names a class."""
    if not inspect.ismodule(thing):
        return []
    if not hasattr(thing, "__path__"):
        return [thing]
    names = [m.name for m in pkgutil.walk_packages(thing.__path__, f"{thing.__name__}.")]
    return [importlib.import_module(name) for name in sorted(names)]


def _classes(kind: type[Found], module: ModuleType) -> list[type[Found]]:
    classes = [c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, kind)]
    return [c for c in classes if c.__module__ == module.__name__ and c.name]


def _class_in_file(kind: type[Kind], file: str, name: str) -> type[Kind]:
    is_script = kind is Agent and not _derives_classes(file)
    classes = {} if is_script else {c.__name__: c for c in _classes(kind, import_file(file))}
    if not classes:
        command = f"{DEFAULT_PROTOCOL}:python3 {shlex.quote(file)}"
        as_bot = f"; a bot is named with how it is run: {command}" if kind is Agent else ""
        raise InvalidError(
            f"{file} holds no {kind.noun}: derive a class with a name from ludus.{kind.__name__}{as_bot}."
        )
    if not name and len(classes) > 1:
        raise InvalidError(f"{file} holds several {kind.noun}s: write {file}:{next(iter(classes))}.")
    if name and name not in classes:
        raise NotFoundError(f"{file} holds no {kind.noun} '{name}'{did_you_mean(name, classes)}.")
    found = classes[name] if name else next(iter(classes.values()))
    found.origin = f"{file}:{found.__name__}"
    return found


def _derives_classes(path: str) -> bool:
    """Whether a file derives any class, as far as can be read: one without, such as a bot's, may wait for input."""
    try:
        nodes = ast.walk(ast.parse(Path(path).read_bytes()))
        return any(isinstance(node, ast.ClassDef) and node.bases for node in nodes)
    except (OSError, SyntaxError, ValueError):
        return True  # importing it tells what is wrong


_folders: set[Path] = set()
"""Where users' files lie."""


def _refuse_strangers(file: Path) -> None:
    """Refuse a file that imports a module beside it, where one of that name beside another file was imported before.

    What modules beside it import themselves is not looked at.
    """
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        for name in (name.partition(".")[0] for name in names):
            taken = Path(getattr(sys.modules.get(name), "__file__", None) or "")
            folder = taken.parent.parent if taken.name == "__init__.py" else taken.parent
            has_own = any((file.parent / beside).is_file() for beside in (f"{name}.py", f"{name}/__init__.py"))
            if has_own and folder in _folders - {file.parent}:
                raise InvalidError(
                    f"{file} would take {taken} for its module {name}, which is beside it: rename one of the two."
                )


def import_file(path: str) -> ModuleType:
    """Import a user's file under a name made from its path, the same in every process.

    Like a script, it may import modules that lie beside it.
    """
    file = Path(path).resolve()
    name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if not os.path.isfile(file):  # unlike that of pathlib, it takes a text that can be no path
        raise NotFoundError(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    _folders.add(file.parent)
    try:
        spec.loader.exec_module(module)
        _refuse_strangers(file)
    except LudusError:
        del sys.modules[name]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InvalidError(f"{path} cannot be imported: {type(error).__name__}: {error}.") from error
    return module
