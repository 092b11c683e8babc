"""The field of agents in a user's words: specs, lists of values, tables, saved agents and folders of them."""

import dataclasses
import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ludus.agents.agent import Agent, agent_from, agent_of, refuse_bare_command
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.paths import data_folder, file_errors, in_full, read_toml, write_file
from ludus.core.registry import names
from ludus.core.spec import DEFAULT_PROTOCOL, Spec, limit_options, parse_agent, protocols_for, split_command
from ludus.core.text import did_you_mean, refuse_foul
from ludus.core.user_file import trust_files
from ludus.tournaments.tournament import Entrant


class Pick(NamedTuple):
    """An agent chosen by a user: its entry in lists, and the agent itself."""

    entrant: Entrant
    agent: Agent


_T = TypeVar("_T")
_NAME = re.compile(r"\w[\w.-]*")
_LIST = re.compile(r"=\s*\[([^\[\]]*)\]")
_BRACKET = re.compile(r"=[^,]*[\[\]]")


def agents_folder() -> Path:
    """The folder of saved agents."""
    return data_folder() / "agents"


# --- Saving -------------------------------------------------------------------------------------------------------


def save_agent(name: str, text: str, base: Path | None = None) -> Entrant:
    """Save the agent that a text specifies; its file, if any, is relative to `base` or to the current folder."""
    path = _path_of(name)
    entrant = Entrant(name, entrant_from(text, base).spec)
    if path in _files(path.parent) and (known := _read(path)) != entrant:
        raise InvalidError(
            f"{name} is already saved as {known.spec}: choose another name, or run 'ludus agents delete {name}' first."
        )
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    name, spec = (json.dumps(text, ensure_ascii=False) for text in (name, entrant.spec))  # JSON strings are valid TOML
    write_file(path, f"name = {name}\nagent = {spec}\n")
    return entrant


def saved_agents(folder: Path | None = None) -> list[Entrant]:
    """The saved agents of a folder, or of the user, by name, with their specs as saved."""
    found = [_read(path) for path in _files(folder or agents_folder())]
    return sorted(found, key=lambda entrant: entrant.name)


def delete_agent(name: str) -> None:
    """Delete a saved agent."""
    path = _known_path(name)
    with file_errors(path, "deleted"):
        path.unlink()


def _path_of(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise InvalidError(f"'{name}' is not a name for a saved agent: write letters, digits and . _ - without spaces.")
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
        raise InvalidError(f'{path} is not a saved agent: it lacks a line such as agent = "mcts:simulations=500".')
    return Entrant(_name(content.get("name", path.stem), str(path)), absolute(agent, path.parent))


# --- Reading user input -------------------------------------------------------------------------------------------


def picks(entry: Any, base: Path | None = None) -> list[Pick]:
    """The agents specified by an entry of a field; paths are relative to `base`, or to the current folder.

    An entry is a spec, in which `[4,6,8]` instead of a value makes an agent of each value; `@NAME`, a saved agent; the
    path of a saved agent's file; a folder, for all saved agents in it; or a table with `agent`, one of these,
    parameters, and perhaps a `name`. The command of a bot is used unchanged.
    """
    base = base or Path()
    if isinstance(entry, Pick):
        return [entry]
    if isinstance(entry, Entrant):
        return [Pick(entry, agent_from(entry.spec))]
    if isinstance(entry, str):
        return [pick for pick, _ in _from_text(entry.strip(), base)]
    if isinstance(entry, Mapping) and isinstance(entry.get("agent"), str):
        return _from_table(entry, base)
    raise InvalidError(
        f"agents has the entry {entry!r}: write a text such as \"mcts:time=1s\", or a table with 'agent'."
    )


def pick_from(entry: Any, base: Path | None = None) -> Pick:
    """The one agent specified by an entry, as in `picks`."""
    return _only(picks(entry, base), entry)


def pick_with_spec(text: str) -> tuple[Pick, Spec]:
    """The one agent specified by a text, as in `picks`, and its spec as the user wrote it."""
    return _only(_from_text(text.strip(), Path()), text)


def _only(found: Sequence[_T], entry: Any) -> _T:
    if len(found) > 1:
        raise InvalidError(f"'{entry}' stands for {len(found)} agents, but one is expected here.")
    return found[0]


def entrants(entry: Any, base: Path | None = None) -> list[Entrant]:
    """The entrants specified by an entry of a field, as in `picks`."""
    return [pick.entrant for pick in picks(entry, base)]


def entrant_from(text: str, base: Path | None = None) -> Entrant:
    """The one entrant specified by a text."""
    return pick_from(text, base).entrant


def _from_text(text: str, base: Path) -> list[tuple[Pick, Spec]]:
    """The agents specified by a text, each with its spec as it is written."""
    if text.startswith("@"):
        return [_checked(_read(_known_path(text[1:])))]
    head, command = _split(text)
    path = _path_of_saved(text, command, base)
    if path is None:
        return [_canonical(variant, base) for variant in _variants(text, head, command)]
    if os.path.isdir(path):  # unlike pathlib's, it accepts a text that cannot be a path
        found = saved_agents(path)
        if not found:
            raise InvalidError(f"The folder {path} has no saved agents: 'ludus agents save' writes them.")
        return [_checked(entrant) for entrant in found]
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    return [_checked(_read(path))]


def _from_table(table: Mapping[str, Any], base: Path) -> list[Pick]:
    text = table["agent"].strip()
    parameters = _flat({key: value for key, value in table.items() if key not in ("agent", "name", "limits")})
    if isinstance(limits := table.get("limits", {}), Mapping):
        parameters |= limit_options(limits)
    else:
        raise InvalidError(f'limits = {limits!r} of {text} is not a table: write one such as {{ move_time = "2s" }}.')
    if parameters:
        options, command = _split(text)
        if text.startswith("@") or _path_of_saved(text, command, base) is not None:
            raise InvalidError(f"{text} is saved with its parameters: omit '{next(iter(parameters))}'.")
        added = ",".join(f"{key}={written(value)}" for key, value in parameters.items())
        if command is None:
            spec = parse_agent(text)
            text += ("," if spec.words or spec.options else ":") + added
        else:
            _refuse_unwritable(parameters)
            text = f"{options or DEFAULT_PROTOCOL},{added}:{command}"
    found = [pick for pick, _ in _from_text(text, base)]
    if "name" not in table:
        return found
    name = _name(table["name"], f"The agent {text}")
    if len(found) > 1:
        raise InvalidError(f"The name '{name}' is for one agent, but {text} specifies {len(found)}: omit it.")
    return [Pick(Entrant(name, found[0].entrant.spec), found[0].agent)]


def _flat(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with points in their names, as in `env.NAME`, which TOML reads as tables."""
    flat: dict[str, Any] = {}
    for key, value in parameters.items():
        inner = value if isinstance(value, Mapping) else {}
        flat |= {f"{key}.{name}": text for name, text in inner.items()} or {key: value}
    return flat


def _split(text: str) -> tuple[str, str | None]:
    return split_command(text, protocols_for(text))


def _refuse_unwritable(parameters: Mapping[str, Any]) -> None:
    for key, value in parameters.items():
        is_list = isinstance(value, list | tuple) or str(value).startswith("[")
        if ":" in written(value) or ("," in str(value) and not is_list):
            raise InvalidError(
                f"{key} = {value!r} cannot be set, because the spec of a bot cannot contain its comma or colon: use a "
                "value without them, or a link to the path."
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
        raise InvalidError(f"{whose} has an invalid name, {value!r}: write a text, or omit it.")
    refuse_foul(value)
    return value


def _checked(saved: Entrant) -> tuple[Pick, Spec]:
    try:
        spec = parse_agent(saved.spec)
        refuse_bare_command(saved.spec, spec)
        agent = agent_of(spec)
        return Pick(Entrant(saved.name, agent.spec()), agent), spec
    except LudusError as error:
        raise InvalidError(f"The saved agent {saved.name} cannot be used: {error}") from None


def _variants(text: str, options: str, command: str | None) -> Iterator[str]:
    """The text with one value of each list, in all combinations; the first list changes slowest."""
    pieces = _LIST.split(options)
    lists = [[value.strip() for value in piece.split(",")] for piece in pieces[1::2]]
    if any("" in values for values in lists):
        raise InvalidError(f"'{text}' has an empty list: write values as in depth=[4,6,8].")
    if _BRACKET.search("".join(pieces[::2])):
        raise InvalidError(f"'{text}' has brackets that do not match: write a list as in depth=[4,6,8].")
    for values in itertools.product(*lists):
        filled = [f"{piece}={value}" for piece, value in zip(pieces[::2], values, strict=False)]
        head = "".join([*filled, pieces[-1]])
        yield head if command is None else f"{head}:{command}" if head else command


def _canonical(text: str, base: Path) -> tuple[Pick, Spec]:
    spec = parse_agent(text)
    refuse_bare_command(text, spec, base)
    return pick_of(spec, text, base), spec


def pick_of(spec: Spec, text: str, base: Path = Path()) -> Pick:
    """An agent named by its shortest spec, with its file as written by the user; for a bot, the user's text."""
    if spec.command is not None:
        agent = agent_of(spec).at(base)
        return Pick(Entrant(text.removeprefix("./"), agent.spec()), agent)
    if spec.file is None:
        agent = agent_of(spec)
        return Pick(Entrant(agent.spec(), agent.spec()), agent)
    file = in_full(spec.file, base)
    trust_files([file])
    agent = agent_of(dataclasses.replace(spec, file=file))
    return Pick(Entrant(spec.file + agent.spec().removeprefix(file), agent.spec()), agent)


def absolute(text: str, base: Path) -> str:
    """The spec of an agent with absolute paths of its files."""
    spec = parse_agent(text)
    if spec.command is not None:
        return agent_of(spec).at(base).spec()
    return text if spec.file is None else f"{in_full(spec.file, base)}{text[len(spec.file) :]}"


def _path_of_saved(text: str, command: str | None, base: Path) -> Path | None:
    """The file or folder of saved agents that a text names; None if it is an agent or a command."""
    if not text or text in names("agent") or (command is not None and command != text):
        return None
    path = Path(in_full(text, base))
    is_file = text.endswith(".toml") and (os.path.isfile(path) or len(text.split()) == 1)
    return path if is_file or os.path.isdir(path) else None
