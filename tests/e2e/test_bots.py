"""Whole tournaments between real programs, in several languages and protocols."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ludus.episode.limits import Limits
from ludus.episode.record import Ending, Record
from ludus.run.runner import run
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Tournament

pytestmark = pytest.mark.slow

BOTS = Path(__file__).with_name("bots")
S = 10**9
PATIENT = Limits(preparation=600 * S, move=60 * S)
"""Machines may be slow, and agents may have to be compiled before they are ready."""
ENGINES = {name: shutil.which(name, path=f"{os.environ['PATH']}:/usr/games") for name in ("stockfish", "gnuchess")}
NODE = shutil.which("node")

needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
needs_engines = pytest.mark.skipif(None in ENGINES.values(), reason="Stockfish and GNU Chess are not installed")


def all_records(tournament: Tournament, folder: Path) -> list[Record]:
    with open_store(str(folder / "results.db")) as store:
        ran = run(tournament, store, RunOptions(workers=2))
        return [record for _, record in store.records(ran.id)]


def of_python(folder: Path, name: str) -> Entrant:
    """A bot in Python, with a folder of its own."""
    shutil.copy(BOTS / f"{name}.py", folder)
    return Entrant("in Python", f"stdio:{sys.executable} {folder / name}.py")


def of_javascript(folder: Path, name: str) -> Entrant:
    shutil.copy(BOTS / f"{name}.js", folder)
    return Entrant("in JavaScript", f"stdio:{NODE} {folder / name}.js")


@needs_node
def test_bots_in_two_languages_play_nim_with_three(tmp_path: Path) -> None:
    agents = [of_python(tmp_path, "nim"), of_javascript(tmp_path, "nim"), Entrant("random", "random")]
    records = all_records(
        make_tournament("nim:players=3", agents, episodes=2, opening_plies=1, seed=4, limits=PATIENT), tmp_path
    )
    assert len(records) >= 6
    assert {record.ending for record in records} == {Ending.RULES}
    assert all(seat.remarks == [] for record in records for seat in record.seats)


@needs_node
def test_bots_in_two_languages_play_goofspiel_at_once(tmp_path: Path) -> None:
    agents = [of_python(tmp_path, "goofspiel"), of_javascript(tmp_path, "goofspiel")]
    records = all_records(make_tournament("goofspiel:cards=7", agents, episodes=3, limits=PATIENT), tmp_path)
    assert {record.ending for record in records} == {Ending.RULES}
    for record in records:
        [seat] = [number for number, seat in enumerate(record.seats) if seat.name == "in Python"]
        turns = [move for step in record.steps for move in step if move.seat == seat]
        assert [move.move for move in turns] == ["7", "6", "5", "4", "3", "2", "1"]
        assert [move.metrics["Left"] for move in turns] == [7, 6, 5, 4, 3, 2, 1]


@needs_engines
def test_chess_engines_meet_over_uci(tmp_path: Path) -> None:
    agents = [
        Entrant("Stockfish", f"uci,nodes=200,Hash=16:{ENGINES['stockfish']}"),
        Entrant("GNU Chess", f"uci,depth=2:{ENGINES['gnuchess']} --uci"),
        Entrant("random", "random"),
    ]
    limits = msgspec.structs.replace(PATIENT, plies=60)
    records = all_records(
        make_tournament("chess", agents, format="single-round-robin", opening_plies=2, limits=limits), tmp_path
    )
    assert len(records) == 3
    assert {record.ending for record in records} <= {Ending.RULES, Ending.PLIES}
    said = [
        move.metrics
        for record in records
        for step in record.steps
        for move in step
        if record.seats[move.seat].name == "Stockfish"
    ]
    assert all("nodes" in metrics for metrics in said)


def test_agents_meet_over_gomocup_through_pipes(tmp_path: Path) -> None:
    ludus = f"{sys.executable} -m ludus bot agent gomocup"
    home = f"env.LUDUS_HOME={os.environ['LUDUS_HOME']}"  # with the machine code of other tests
    agents = [
        Entrant("alphabeta", f"gomocup,{home}:{ludus} alphabeta:depth=2"),
        Entrant("random", f"gomocup,{home}:{ludus} random"),
    ]
    records = all_records(make_tournament("gomoku:size=9", agents, episodes=2, limits=PATIENT), tmp_path)
    assert [record.ending for record in records] == [Ending.RULES] * 4
    for record in records:
        assert record.scores[[seat.name for seat in record.seats].index("alphabeta")] == 1.0


def test_metrics_that_bots_write_are_in_the_results(tmp_path: Path) -> None:
    for name in ("Slow", "Quick"):
        place = tmp_path / "cup" / name
        place.mkdir(parents=True)
        shutil.copy(BOTS / "gomoku.py", place / f"{name}.py")
    store = str(tmp_path / "results.db")
    folder = ["--folder", str(tmp_path / "cup"), "--game", "gomoku:size=7", "Slow", "Quick"]
    options = ["-t", "60000", "-g", "6000", "-n", "cup", "-m", "2", "--store", store]
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "run", *folder, *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with open_store(store) as opened:
        id = opened.find("cup")
        assert opened.tournament(id).limits == Limits(move=60 * S, grace=6 * S)
        records = [record for _, record in opened.records(id)]
    assert len(records) == 2
    moves = [move for record in records for step in record.steps for move in step]
    assert all({"Time", "Iterations"} <= move.metrics.keys() for move in moves)
    shown = subprocess.run(
        [sys.executable, "-m", "ludus", "results", "cup", "--metrics", "--store", store],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "Iterations" in shown
