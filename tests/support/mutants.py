"""Mutated inputs: files and texts that users write, with parts changed at random, and their readers."""

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.core.registry import names
from ludus.episode.game_file import read_records, written
from ludus.episode.opening import opening_at, read_openings
from ludus.episode.record import Record
from ludus.episode.replay import replay
from ludus.games.game import Game, game_from
from ludus.kernel.rng import new_rng
from ludus.net.listener import read_keys
from ludus.net.remote import remote_seats
from ludus.run.scenarios.suites import read_suite
from ludus.run.series import Series
from ludus.tournaments.config import config
from ludus.tournaments.field import pick_from
from ludus.tournaments.file import read_tournament
from ludus.tournaments.formats import format_from
from ludus.tournaments.run_options import RunOptions
from support.places import ROOT

LONGEST = 10.0
"""Seconds of CPU time after which a reader hangs: a busy machine compiles for seconds."""

_TOKENS = (
    *("", " ", "\n", "\t", "\x00", "\x1b[2J", "\u202e", "\ufeff", "é", "名", "\U0001f600", '"', "'", "\\", "\\u0000"),
    *("[", "]", "{", "}", "[[", "]]", "(", ")", ",", ":", ";", "=", "/", "#", "..", "/dev/null", "~nobody/x", "%"),
    *("0", "-1", "1", "2", "9", "1e309", "-0.0", "nan", "inf", "1" * 20, "1" * 5000, "0x10", "1_000", "null", "true"),
    *("random", "mcts", "hex", "mcts:simulations=5", "stdio:./bot", "uci:x", "x.py", "@me", "lose", "10ms", "2GiB"),
    *("[" * 2000, "{" * 2000, '{"a":' * 2000, "(" * 2000, "a" * 5000, "1," * 2000, "name", "seed", "1970-01-01"),
)


class Input(NamedTuple):
    """A text that is right, the ending of its file, and what reads the file or, without an ending, the text."""

    kind: str
    text: str
    ending: str
    read: Callable[[Path], object] | Callable[[str], object]


class Complaint(NamedTuple):
    """A mutant that was not refused in one sentence."""

    kind: str
    text: str
    problem: str


def inputs() -> list[Input]:
    """Inputs of all kinds that need no contest of its own."""
    found = [
        *(Input("tournament", text, ".toml", read_tournament) for text in _texts("examples/*.toml")),
        *(Input("scenarios", text, ".toml", read_suite) for text in _texts("examples/scenarios/*.toml")),
        Input("config", _CONFIG, "ludus.toml", lambda _file: config()),
        Input("keys", "anna 1234\nbob abcd\n", ".txt", read_keys),
        *(Input("spec", text, "", _read_spec) for text in _SPECS),
        *(Input("format", text, "", format_from) for text in ("swiss:rounds=5", "knockout", "gauntlet:runners=2")),
    ]
    for name in names("game"):
        if name != "openspiel":  # which needs a game of its own
            found += _of_game(game_from(name))
    return found


def _of_game(game: Game) -> Iterator[Input]:
    """Positions, openings, records and files of a game."""
    agents = [pick_from("random") for _ in range(game.seats)]
    series = Series(game, agents, {}, RunOptions(seed=1))
    record = series.play(0)
    yield Input("record", record.to_json(), "", lambda text: [*replay(Record.from_json(text))])
    position = game.save(game.start(new_rng(0)))
    yield Input("position", position, "", lambda text: opening_at(text, game, []))
    moves = " ".join(move.move for step in record.steps[:2] for move in step)
    if not game.simultaneous and not game.chance:
        yield Input("openings", f"{moves}\nposition {position}\n", ".txt", lambda file: read_openings(file, game))
    notation = game.notation()
    if notation is not None:
        text = written(record, notation, game)
        yield Input("game file", text, notation.written, _read_games)


def _texts(pattern: str) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in sorted(ROOT.glob(pattern))]


def _read_games(file: Path) -> None:
    for found in read_records(file, remote_seats):
        if isinstance(found, LudusError):
            raise found


def _read_spec(text: str) -> None:
    for read in (agent_from, game_from):
        try:
            read(text)
        except LudusError:
            if read is game_from:
                raise


_SPECS = (
    *("mcts:simulations=100,c=0.7", "alphabeta:depth=3", "hex:size=7", "stdio:python3 bot.py", "nim:piles=1-2-3"),
    *("uci,hash=16:engine --uci", "game.py:Mine:size=3", "./mybot", "gomocup:brain"),
)
_CONFIG = """
store = "cups.db"
colours = "never"
workers = 2
[limits]
move_time = "1s"
prepare = "10s"
memory = "1GiB"
"""


# --- Mutation -------------------------------------------------------------------------------------------------------


def mutated(text: str, others: Sequence[str], draw: random.Random) -> str:
    """The text after one to four changes."""
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4))):
        text = draw.choice(_CHANGES)(text, others, draw)
    return text


def _replace(text: str, others: Sequence[str], draw: random.Random) -> str:
    start, end = _span(text, draw)
    return text[:start] + draw.choice(_TOKENS) + text[end:]


def _insert(text: str, others: Sequence[str], draw: random.Random) -> str:
    place = draw.randint(0, len(text))
    return text[:place] + draw.choice(_TOKENS) + text[place:]


def _delete(text: str, others: Sequence[str], draw: random.Random) -> str:
    start, end = _span(text, draw)
    return text[:start] + text[end:]


def _repeat(text: str, others: Sequence[str], draw: random.Random) -> str:
    start, end = _span(text, draw)
    return text[:end] + text[start:end] * draw.choice((1, 2, 50)) + text[end:]


def _cut(text: str, others: Sequence[str], draw: random.Random) -> str:
    return text[: draw.randint(0, len(text))]


def _splice(text: str, others: Sequence[str], draw: random.Random) -> str:
    other = draw.choice(others)
    start, end = _span(other, draw)
    place = draw.randint(0, len(text))
    return text[:place] + other[start:end] + text[place:]


def _letter(text: str, others: Sequence[str], draw: random.Random) -> str:
    place = draw.randint(0, max(0, len(text) - 1))
    return text[:place] + chr(draw.choice((draw.randint(0, 127), draw.randint(128, 0xD7FF)))) + text[place + 1 :]


def _value(text: str, others: Sequence[str], draw: random.Random) -> str:
    """Replace a value of JSON or TOML."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        lines = text.split("\n")
        number = draw.randrange(len(lines))
        key, equals, _ = lines[number].partition("=")
        lines[number] = f"{key}{equals}{draw.choice(_TOKENS)}"
        return "\n".join(lines)
    _change(content, draw)
    return json.dumps(content)


def _change(content: object, draw: random.Random) -> None:
    while isinstance(content, dict | list) and content:
        keys: Sequence[str | int] = list(content) if isinstance(content, dict) else range(len(content))
        key = draw.choice(keys)
        inner = content[key]  # type: ignore[index]
        if isinstance(inner, dict | list) and inner and draw.random() < 0.8:
            content = inner
            continue
        new: Any = draw.choice((None, True, -1, 0, 10**30, 1.5, "", "x", [], {}, [[]], [1, 2], {"a": 1}, inner))
        content[key] = new  # type: ignore[index]
        return


_CHANGES = (_replace, _insert, _delete, _repeat, _cut, _splice, _letter, _letter, _value, _value)


def _span(text: str, draw: random.Random) -> tuple[int, int]:
    start = draw.randint(0, len(text))
    return start, min(len(text), start + draw.choice((1, 2, 5, 20, 200)))


# --- Reading --------------------------------------------------------------------------------------------------------


def complaints(found: Sequence[Input], count: int, seed: int, folder: Path) -> list[Complaint]:
    """Read that many mutants; return those that were refused other than in one sentence, or took too long."""
    draw = random.Random(seed)
    others = [each.text for each in found]
    kinds = sorted({each.kind for each in found})
    by_kind = {kind: [each for each in found if each.kind == kind] for kind in kinds}
    wrong = []
    for number in range(count):
        chosen = draw.choice(by_kind[kinds[number % len(kinds)]])
        text = mutated(chosen.text, others, draw)
        if problem := problem_of(chosen, text, folder):
            wrong.append(Complaint(chosen.kind, text, problem))
    return wrong


def problem_of(chosen: Input, text: str, folder: Path) -> str:
    """The way in which a text was refused other than in one sentence; empty if it was not, or was accepted."""
    argument: Path | str = text
    if chosen.ending:
        argument = folder / (chosen.ending if "." in chosen.ending[1:] else f"mutant{chosen.ending}")
        argument.write_bytes(text.encode("utf-8", "surrogatepass"))
    began = time.thread_time()
    problem = ""
    try:
        chosen.read(argument)  # type: ignore[arg-type]
    except LudusError as error:
        sentence = str(error)
        if "\n" in sentence:
            problem = f"several lines: {sentence!r}"
        elif not sentence.endswith((".", "?")):
            problem = f"no sentence: {sentence!r}"
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if (took := time.thread_time() - began) > LONGEST:
        problem = f"took {took:.0f} s; {problem}"
    return problem
