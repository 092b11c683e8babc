"""Inputs with parts changed at random: each is accepted, or refused in one sentence."""

import random
from pathlib import Path

import pytest

from support.mutants import Input, complaints, inputs, mutated
from support.running import program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def right() -> list[Input]:
    return inputs()


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_inputs_are_right_before_they_are_changed(right: list[Input], tmp_path: Path) -> None:
    for each in right:
        argument = tmp_path / (each.ending if "." in each.ending[1:] else f"right{each.ending}")
        if each.ending:
            argument.write_text(each.text, encoding="utf-8")
        if each.kind != "spec":  # of bots and games that are not there
            each.read(argument if each.ending else each.text)  # type: ignore[arg-type]


def test_mutants_are_refused_in_one_sentence(right: list[Input], tmp_path: Path) -> None:
    assert complaints(right, 2_000, seed=1, folder=tmp_path) == []


@pytest.mark.nightly
def test_many_mutants_are_refused_in_one_sentence(right: list[Input], tmp_path: Path) -> None:
    assert complaints(right, 100_000, seed=2, folder=tmp_path) == []


COMMANDS = {
    "tournament": "run {} --store mutants.db",
    "scenarios": "scenario show {}",
    "openings": "run --game tic-tac-toe --agent random --agent random --openings {} --store mutants.db",
    "game file": "store import {} --store mutants.db",
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_mutants_end_a_program_with_one_line(right: list[Input], tmp_path: Path, kind: str) -> None:
    draw = random.Random(kind)
    chosen = draw.choice([each for each in right if each.kind == kind and "0.toml" not in each.ending])
    refused = 0
    for _ in range(100):
        text = mutated(chosen.text, ["x", "[[", "\x00"], draw)
        file = tmp_path / f"mutant{chosen.ending}"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            chosen.read(file)  # type: ignore[arg-type]
        except Exception:
            done = program(*COMMANDS[kind].format(file).split())
            assert done.returncode == 2
            assert "Traceback" not in done.stderr
            assert done.stderr.splitlines()[-1].startswith("ludus: ")
            refused += 1
            if refused == 3:
                return
    pytest.fail(f"only {refused} of 100 mutants were refused")
