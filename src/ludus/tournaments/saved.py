"""The agents that a user's text stands for: specs, lists of values, saved agents and folders of them."""

import contextlib
import itertools
import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from ludus.catalog import agent_from, agents
from ludus.errors import LudusError
from ludus.folders import data_folder
from ludus.spec import Spec, did_you_mean
from ludus.tournaments.base import Entrant

_NAME = re.compile(r"\w[\w.-]*")
_LIST = re.compile(r"=\s*\[([^\[\]]*)\]")
_BRACKET = re.compile(r"=[^,]*[\[\]]")


def agents_folder() -> Path:
    """Where saved agents are kept."""
    return data_folder() / "agents"


# --- Saving -------------------------------------------------------------------------------------------------------


def save_agent(name: str, text: str, base: Path | None = None) -> Entrant:
    """Keep the agent that a spec names, whose file, if any, is relative to `base` or to the current folder."""
    path = _path_of(name)
    entrant = Entrant(name, _canonical(text, base or Path()).spec)
    if path.exists() and (known := _read(path)) != entrant:
        raise LudusError(
            f"{name} is saved already, as {known.spec}: take another name, or 'ludus agents forget {name}' first."
        )
    with _told(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        # JSON writes texts as TOML reads them.
        path.write_text(
            f"name = {json.dumps(name, ensure_ascii=False)}\nagent = {json.dumps(entrant.spec, ensure_ascii=False)}\n",
            encoding="utf-8",
        )
    return entrant


def saved_agents(folder: Path | None = None) -> list[Entrant]:
    """The saved agents of a folder, or of the user, by name; their specs as they were saved."""
    found = [_read(path) for path in (folder or agents_folder()).glob("*.toml")]
    return sorted(found, key=lambda entrant: entrant.name)


def forget_agent(name: str) -> None:
    """Delete a saved agent."""
    path = _known_path(name)
    with _told(path, "deleted"):
        path.unlink()


def _path_of(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise LudusError(f"'{name}' is no name for a saved agent: write letters, digits and . _ - without blanks.")
    return agents_folder() / f"{name}.toml"


def _known_path(name: str) -> Path:
    path = _path_of(name)
    if not path.is_file():
        names = [known.stem for known in agents_folder().glob("*.toml")]
        raise LudusError(
            f"There is no saved agent '{name}'{did_you_mean(name, names)}; 'ludus agents saved' lists them all."
        )
    return path


def _read(path: Path) -> Entrant:
    with _told(path, "read"):
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise LudusError(f"{path} is not TOML: {error}.") from None
    name, agent = content.get("name", path.stem), content.get("agent")
    if not isinstance(agent, str) or not isinstance(name, str):
        raise LudusError(f'{path} is no saved agent: it lacks a line such as agent = "mcts:simulations=500".')
    return Entrant(name, _absolute(agent, path.parent))


@contextlib.contextmanager
def _told(path: Path, done: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LudusError(f"{path} cannot be {done}: {error.strerror}.") from None


# --- Reading what a user writes -----------------------------------------------------------------------------------


def entrants(text: str, base: Path | None = None) -> list[Entrant]:
    """The agents that a text stands for; paths are relative to `base`, or to the current folder.

    A text is a spec, in which `[4,6,8]` instead of a value makes an agent of each value; `@NAME`, a saved agent; the
    path of the file of one; or a folder, for all saved agents in it.
    """
    base = base or Path()
    text = text.strip()
    path = base / Path(text).expanduser()
    if text.startswith("@"):
        return [_checked(_read(_known_path(text[1:])))]
    if text.endswith(".toml"):
        if not path.is_file():
            raise LudusError(f"There is no file {path}.")
        return [_checked(_read(path))]
    if text and path.is_dir() and text not in agents():
        found = saved_agents(path)
        if not found:
            raise LudusError(f"The folder {path} holds no saved agents, files such as 'ludus agents save' writes.")
        return [_checked(entrant) for entrant in found]
    return [_canonical(variant, base) for variant in _variants(text)]


def _checked(saved: Entrant) -> Entrant:
    try:
        return Entrant(saved.name, agent_from(saved.spec).spec())
    except LudusError as error:
        raise LudusError(f"The saved agent {saved.name} cannot be used: {error}") from None


def _variants(text: str) -> Iterator[str]:
    """The text with one value of each list, in all combinations; the first list changes slowest."""
    pieces = _LIST.split(text)
    lists = [[value.strip() for value in piece.split(",")] for piece in pieces[1::2]]
    if any("" in values for values in lists):
        raise LudusError(f"'{text}' has a list with nothing in it: write values as in depth=[4,6,8].")
    if _BRACKET.search("".join(pieces[::2])):
        raise LudusError(f"'{text}' has brackets that do not match: write a list as in depth=[4,6,8].")
    for values in itertools.product(*lists):
        filled = [f"{piece}={value}" for piece, value in zip(pieces[::2], values, strict=False)]
        yield "".join([*filled, pieces[-1]])


def _canonical(text: str, base: Path) -> Entrant:
    """An agent that goes by its shortest spec, with its file as the user writes it."""
    full = _absolute(text, base)
    spec = agent_from(full).spec()
    file = Spec.parse(text).file
    return Entrant(spec if file is None else file + spec.removeprefix(str(_file(file, base))), spec)


def _absolute(text: str, base: Path) -> str:
    """A spec whose file, if there is one, is named in full."""
    file = Spec.parse(text).file
    return text if file is None else f"{_file(file, base)}{text[len(file) :]}"


def _file(file: str, base: Path) -> str:
    return os.path.abspath(base / Path(file).expanduser())
