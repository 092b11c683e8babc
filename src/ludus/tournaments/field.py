"""The agents that a user's words stand for: specs, lists of values, tables, saved agents and folders of them."""

import dataclasses
import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.agent import Agent, agent_from, agent_of, refuse_bare_command
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.paths import data_folder, file_errors, in_full, read_toml, write_file
from ludus.core.registry import names
from ludus.core.spec import DEFAULT_PROTOCOL, parse_agent, protocols_for, split_command
from ludus.core.text import did_you_mean
from ludus.tournaments.tournament import Entrant


class Pick(NamedTuple):
    """An agent as a user picks it: how it is listed, and the agent itself."""

    entrant: Entrant
    agent: Agent


_NAME = re.compile(r"\w[\w.-]*")
_LIST = re.compile(r"=\s*\[([^\[\]]*)\]")
_BRACKET = re.compile(r"=[^,]*[\[\]]")


def agents_folder() -> Path:
    """Where saved agents are kept."""
    return data_folder() / "agents"


# --- Saving -------------------------------------------------------------------------------------------------------


def save_agent(name: str, text: str, base: Path | None = None) -> Entrant:
    """Keep the agent that a text stands for, whose file, if any, is relative to `base` or to the current folder."""
    path = _path_of(name)
    entrant = Entrant(name, entrant_from(text, base).spec)
    if path in _files(path.parent) and (known := _read(path)) != entrant:
        raise InvalidError(
            f"{name} is saved already, as {known.spec}: take another name, or 'ludus agents forget {name}' first."
        )
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    name, spec = (json.dumps(text, ensure_ascii=False) for text in (name, entrant.spec))  # which TOML reads too
    write_file(path, f"name = {name}\nagent = {spec}\n")
    return entrant


def saved_agents(folder: Path | None = None) -> list[Entrant]:
    """The saved agents of a folder, or of the user, by name; their specs as they were saved."""
    found = [_read(path) for path in _files(folder or agents_folder())]
    return sorted(found, key=lambda entrant: entrant.name)


def forget_agent(name: str) -> None:
    """Delete a saved agent."""
    path = _known_path(name)
    with file_errors(path, "deleted"):
        path.unlink()


def _path_of(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise InvalidError(f"'{name}' is no name for a saved agent: write letters, digits and . _ - without blanks.")
    return agents_folder() / f"{name}.toml"


def _known_path(name: str) -> Path:
    path = _path_of(name)
    known = _files(path.parent)
    if path not in known:
        near = did_you_mean(name, [file.stem for file in known])
        raise NotFoundError(f"There is no saved agent '{name}'{near}; 'ludus list agents' lists them.")
    return path


def _files(folder: Path) -> list[Path]:
    with file_errors(folder, "read"):
        try:
            return [path for path in folder.iterdir() if path.suffix == ".toml"]
        except FileNotFoundError:
            return []


def _read(path: Path) -> Entrant:
    content = read_toml(path)
    agent = content.get("agent")
    if not isinstance(agent, str):
        raise InvalidError(f'{path} is no saved agent: it lacks a line such as agent = "mcts:simulations=500".')
    return Entrant(_name(content.get("name", path.stem), str(path)), absolute(agent, path.parent))


# --- Reading what a user writes -----------------------------------------------------------------------------------


def picks(entry: Any, base: Path | None = None) -> list[Pick]:
    """The agents that an entry of a field stands for; paths are relative to `base`, or to the current folder.

    An entry is a spec, in which `[4,6,8]` instead of a value makes an agent of each value; `@NAME`, a saved agent; the
    path of the file of one; a folder, for all saved agents in it; or a table of `agent`, one of these, with parameters
    and perhaps a `name`. The command of a bot is taken as it is.
    """
    base = base or Path()
    if isinstance(entry, Pick):
        return [entry]
    if isinstance(entry, Entrant):
        return [Pick(entry, agent_from(entry.spec))]
    if isinstance(entry, str):
        return _from_text(entry.strip(), base)
    if isinstance(entry, Mapping) and isinstance(entry.get("agent"), str):
        return _from_table(entry, base)
    raise InvalidError(
        f"agents has the entry {entry!r}: write a text such as \"mcts:time=1s\", or a table with 'agent'."
    )


def pick_from(text: str, base: Path | None = None) -> Pick:
    """The one agent that a text stands for, in the ways of `picks`."""
    found = picks(text, base)
    if len(found) > 1:
        raise InvalidError(f"'{text}' stands for {len(found)} agents, and one is wanted here.")
    return found[0]


def entrants(entry: Any, base: Path | None = None) -> list[Entrant]:
    """The entrants that an entry of a field stands for, in the ways of `picks`."""
    return [pick.entrant for pick in picks(entry, base)]


def entrant_from(text: str, base: Path | None = None) -> Entrant:
    """The one entrant that a text stands for."""
    return pick_from(text, base).entrant


def _from_text(text: str, base: Path) -> list[Pick]:
    if text.startswith("@"):
        return [_checked(_read(_known_path(text[1:])))]
    head, command = _split(text)
    path = _path_of_saved(text, command, base)
    if path is None:
        return [_canonical(variant, base) for variant in _variants(text, head, command)]
    if os.path.isdir(path):  # unlike that of pathlib, it takes a text that can be no path
        found = saved_agents(path)
        if not found:
            raise InvalidError(f"The folder {path} holds no saved agents, files such as 'ludus agents save' writes.")
        return [_checked(entrant) for entrant in found]
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    return [_checked(_read(path))]


def _from_table(table: Mapping[str, Any], base: Path) -> list[Pick]:
    text = table["agent"].strip()
    parameters = {key: value for key, value in table.items() if key not in ("agent", "name")}
    if parameters:
        options, command = _split(text)
        if text.startswith("@") or _path_of_saved(text, command, base) is not None:
            raise InvalidError(f"{text} is saved with its parameters: leave out '{next(iter(parameters))}'.")
        added = ",".join(f"{key}={written(value)}" for key, value in parameters.items())
        if command is None:
            spec = parse_agent(text)
            text += ("," if spec.words or spec.options else ":") + added
        else:
            _refuse_unwritable(parameters)
            text = f"{options or DEFAULT_PROTOCOL},{added}:{command}"
    found = _from_text(text, base)
    if "name" not in table:
        return found
    name = _name(table["name"], f"The agent {text}")
    if len(found) > 1:
        raise InvalidError(f"The name '{name}' is for one agent, but {text} makes {len(found)}: leave it out.")
    return [Pick(Entrant(name, found[0].entrant.spec), found[0].agent)]


def _split(text: str) -> tuple[str, str | None]:
    return split_command(text, protocols_for(text))


def _refuse_unwritable(parameters: Mapping[str, Any]) -> None:
    for key, value in parameters.items():
        is_list = isinstance(value, list | tuple) or str(value).startswith("[")
        if ":" in written(value) or ("," in str(value) and not is_list):
            raise InvalidError(
                f"{key} = {value!r} cannot be set, since the spec of a bot has no place for a comma or a colon there: "
                "take a value without them; a path, by a link."
            )


def written(value: Any) -> str:
    """The value of a parameter as a spec has it."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(written, value))}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _name(value: Any, whose: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidError(f"{whose} has the name {value!r}, which is none: write a text, or leave it out.")
    return value


def _checked(saved: Entrant) -> Pick:
    try:
        agent = agent_from(saved.spec)
        return Pick(Entrant(saved.name, agent.spec()), agent)
    except LudusError as error:
        raise InvalidError(f"The saved agent {saved.name} cannot be used: {error}") from None


def _variants(text: str, options: str, command: str | None) -> Iterator[str]:
    """The text with one value of each list, in all combinations; the first list changes slowest."""
    pieces = _LIST.split(options)
    lists = [[value.strip() for value in piece.split(",")] for piece in pieces[1::2]]
    if any("" in values for values in lists):
        raise InvalidError(f"'{text}' has a list with nothing in it: write values as in depth=[4,6,8].")
    if _BRACKET.search("".join(pieces[::2])):
        raise InvalidError(f"'{text}' has brackets that do not match: write a list as in depth=[4,6,8].")
    for values in itertools.product(*lists):
        filled = [f"{piece}={value}" for piece, value in zip(pieces[::2], values, strict=False)]
        head = "".join([*filled, pieces[-1]])
        yield head if command is None else f"{head}:{command}" if head else command


def _canonical(text: str, base: Path) -> Pick:
    """An agent that goes by its shortest spec, with its file as the user writes it; a bot, by what the user writes."""
    spec = parse_agent(text)
    refuse_bare_command(text, spec, base)
    if spec.command is not None:
        agent = agent_of(spec).at(base)
        return Pick(Entrant(text.removeprefix("./"), agent.spec()), agent)
    if spec.file is None:
        agent = agent_of(spec)
        return Pick(Entrant(agent.spec(), agent.spec()), agent)
    file = in_full(spec.file, base)
    agent = agent_of(dataclasses.replace(spec, file=file))
    return Pick(Entrant(spec.file + agent.spec().removeprefix(file), agent.spec()), agent)


def absolute(text: str, base: Path) -> str:
    """The spec of an agent whose files, if there are any, are named in full."""
    spec = parse_agent(text)
    if spec.command is not None:
        return agent_of(spec).at(base).spec()
    return text if spec.file is None else f"{in_full(spec.file, base)}{text[len(spec.file) :]}"


def _path_of_saved(text: str, command: str | None, base: Path) -> Path | None:
    """The file or the folder of saved agents that a text names; None if it is an agent or a command."""
    if not text or text in names("agent") or (command is not None and command != text):
        return None
    path = Path(in_full(text, base))
    is_file = text.endswith(".toml") and (os.path.isfile(path) or len(text.split()) == 1)
    return path if is_file or os.path.isdir(path) else None
