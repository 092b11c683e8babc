"""`check_game`: good games pass every step, and each kind of mistake is named at its step."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from ludus.check import game_check, playthrough
from ludus.check.game_check import check_game
from ludus.check.game_steps import run_steps
from ludus.check.steps import Step
from support.sentences import missing
from support.takeaway import write_game

pytestmark = pytest.mark.slow

OBJECT_GAME = '''
from ludus import Game
from ludus.kernel.rules import rule


class Pile:
    def __init__(self):
        self.left, self.turn = 5, 0


@rule
def most_moves(state: Pile):
    return 2


@rule
def movers(state: Pile, out):
    out[0] = state.turn
    return 1


@rule
def legal(state: Pile, player, out):
    n = min(2, state.left)
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def play(state: Pile, moves):
    state.left -= int(moves[0])
    state.turn = 1 - state.turn


@rule
def over(state: Pile):
    return state.left == 0


@rule
def scores(state: Pile, out):
    out[state.turn], out[1 - state.turn] = -1.0, 1.0


@rule
def copy(state: Pile, into):
    into.left, into.turn = state.left, state.turn


@rule
def key(state: Pile):
    return 2 * state.left + state.turn


class PileGame(Game):
    """A heap as a Python object."""

    name = "pile"

    def start(self, rng):
        return Pile()

    def draw(self, state):
        return "|" * state.left + "."
'''


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly a game compiles here."""
    monkeypatch.setattr(game_check, "PATIENCE", 1800)


def failure_of(file: Path) -> Step:
    """The first failed step: after one of the first four all others are skipped, after another the next is run."""
    failed, numbers = None, []
    for step in check_game(str(file)):
        numbers.append(step.number)
        if failed is not None:
            assert (step.verdict == "skipped") == (failed.number <= 4)
            if failed.number > 4:
                break
        elif step.verdict == "failed":
            failed = step
    assert failed is not None, "no step failed"
    assert numbers == list(range(1, 11 if failed.number <= 4 else failed.number + 2))
    return failed


IN_CHILDREN = {
    "rule 'over'",
    "scores [1.0, 1.0] sum 2",
    "two moves '1'",
}


def mistake_of(file: Path, number: int, words: str) -> Step:
    """The step that fails: run in children, as `check_game` does, where that matters, and else in this process."""
    if number in (3, 4) or words in IN_CHILDREN:
        return failure_of(file)
    steps = run_steps(str(file), sorted({1, min(number, 2), number}))
    return next(step for step in steps if step.verdict == "failed")


def test_good_game_passes_every_step(tmp_path: Path) -> None:
    steps = list(check_game(str(write_game(tmp_path))))
    assert [(step.number, step.verdict, step.problem) for step in steps] == [(n, "passed", "") for n in range(1, 11)]
    assert steps[-1].figures["bytes"] == 16
    assert steps[-1].figures["playout"] > 0


def test_game_of_objects_skips_the_compiled_steps_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "pile.py"
    file.write_text(OBJECT_GAME)
    steps = list(check_game(str(file)))
    verdicts = {step.number: step.verdict for step in steps}
    assert [n for n, verdict in verdicts.items() if verdict == "skipped"] == [3, 4, 7]
    assert "failed" not in verdicts.values()
    assert "nothing is compiled" in steps[2].problem


LEGAL = "    n = min(state.most[0], state.heap[LEFT])\n"


@pytest.mark.parametrize(
    ("number", "words", "old", "new"),
    [
        (1, "rule 'over'", "@rule\ndef over", "def over"),
        (1, "rule 'leagl'", "def legal", "def leagl"),
        (1, "share 'heap'", "np.array([self.size, 0])", "TABLE"),
        (1, "take_away.py, line 71 AttributeError", '"|" * int', '"|" * int.whole'),
        (1, "'heap' array", "np.array([self.size, 0])", "self.size"),
        (2, "scores [1.0, 1.0] sum 2", "out[1] = -out[0]", "out[0] = out[1] = 1.0"),
        (2, "scores [2.0, -2.0] outside -1…1", "-1.0 if state.heap[TURN] == 0 else 1.0", "2.0"),
        (2, "scores player 1", "    out[1] = -out[0]\n", ""),
        (2, "legal -1", "out[i] = i + 1", "out[i] = i - 1"),
        (2, "legal 1 twice", "out[i] = i + 1", "out[i] = i % 2 + 1"),
        (2, "legal 0 moves", LEGAL, LEGAL + "    if state.heap[LEFT] < 3:\n        return 0\n"),
        (2, "legal take_away.py, line 33 IndexError 20", "out[i] = i + 1", "out[i + 20] = i + 1"),
        (2, "changes 'heap'", LEGAL, LEGAL + "    state.heap[TURN] += 2\n"),
        (2, "play changes 'most'", "-= moves[0]\n", "-= moves[0]\n    state.most[0] = moves[0]\n"),
        (2, "over 10,000 steps", "state.heap[LEFT] -= moves[0]", "state.heap[LEFT] += 1"),
        (2, "movers [2]", "out[0] = state.heap[TURN]", "out[0] = state.heap[TURN] + 1"),
        (2, "movers CHANCE", "out[0] = state.heap[TURN]", "out[0] = -1"),
        (3, "legal take_away.py, line 32 compiled creates", LEGAL, LEGAL + "    np.zeros(4)\n"),
        (3, "legal take_away.py, line 31 compiled 'least'", LEGAL, "    n = least(state)\n"),
    ],
)
def test_mistake_is_named_at_its_step(tmp_path: Path, number: int, words: str, old: str, new: str) -> None:
    table = "TABLE = np.array([7, 0])\n\n\ndef least(state):\n    return min(state.most[0], state.heap[LEFT])\n"
    extra = ("class TakeAway", f"{table}\n\nclass TakeAway")
    step = mistake_of(write_game(tmp_path, extra, (old, new)), number, words)
    assert missing(step.problem, words) == []
    assert step.number == number


@pytest.mark.parametrize(
    ("number", "words", "rule"),
    [
        (2, "sample 3 [1, 2]", "sample(state: Heap, player, rng):\n    return 3"),
        (2, "allows refuses 3", "allows(state: Heap, player, move):\n    return move in (1, 2)"),
        (2, "allows 0 [1, 2, 3]", "allows(state: Heap, player, move):\n    return 0 <= move < 4"),
        (2, "allows -1 [1, 2, 3]", "allows(state: Heap, player, move):\n    return move != 0 and move < 4"),
        (3, "SIGSEGV", "sample(state: Heap, player, rng):\n    return 1 + far_below(state)"),
        (4, "0.5 compiled 0.25 interpreted", "heuristic(state: Heap, player):\n    return narrow(state)"),
        (5, "copy differs 'heap'", "copy(state: Heap, into):\n    into.heap[0] = 1"),
        (8, "heuristic [1.0, 1.0]", "heuristic(state: Heap, player):\n    return 1.0"),
        (8, "order [] [1, 2, 3]", "order(state: Heap, player, moves, n):\n    return 0"),
        (9, "key movers", "key(state: Heap):\n    return state.heap[LEFT]"),
        (9, "sample never 2", "sample(state: Heap, player, rng):\n    return 1"),
    ],
)
def test_mistake_in_an_added_rule_is_named(tmp_path: Path, number: int, words: str, rule: str) -> None:
    helpers = """
@compiled
def far_below(state):
    cells = room(1 << 24)  # more than the stack holds
    cells[state.most[0]] = 0
    cells[state.heap[TURN]] = 1
    return cells[state.most[0]]


@compiled
def narrow(state):
    return 0.5 if state.bytes[0] * 2 > 127 else 0.25


"""
    changes = [
        ("class TakeAway", f"{helpers}@rule\ndef {rule}\n\n\nclass TakeAway"),
        ("Constant, rule", "Constant, room, rule\nfrom ludus.kernel.jit import compiled"),
        ("    most: Constant\n", "    most: Constant\n    bytes: Constant\n"),
        ("np.array([3]))", "np.array([3]), np.array([100], np.int8))"),
    ]
    step = mistake_of(write_game(tmp_path, *changes), number, words)
    assert missing(step.problem, words) == []
    assert step.number == number


@pytest.mark.parametrize(
    ("number", "words", "method"),
    [
        (
            6,
            "two moves '1'",
            "def format(self, state, player, move):\n        return str(move % 2)",
        ),
        (6, "'take 1'", "def format(self, state, player, move):\n        return f'take {move}'"),
        (
            6,
            "'1' read 2",
            "def parse(self, state, player, text):\n        return int(text) + 1",
        ),
        (7, "movers, moves scores", "def save(self, state):\n        return f'{state.heap[LEFT]}/0'"),
    ],
)
def test_mistake_in_the_text_forms_is_named(tmp_path: Path, number: int, words: str, method: str) -> None:
    file = write_game(tmp_path)
    file.write_text(f"{file.read_text()}\n    {method}\n")
    step = mistake_of(file, number, words)
    assert missing(step.problem, words) == []
    assert step.number == number


def test_allocating_rule_is_told_its_price(tmp_path: Path) -> None:
    rule = "@rule(allocates=True)\ndef heuristic(state: Heap, player):\n    return np.zeros(9).sum()\n"
    steps = list(check_game(str(write_game(tmp_path, ("class TakeAway", f"{rule}\n\nclass TakeAway")))))
    assert {step.verdict for step in steps} == {"passed"}
    assert any(note.startswith("heuristic allocates: ") for note in steps[-1].notes)


def test_unknown_game_fails_the_first_step() -> None:
    first = next(iter(check_game("conect-four")))
    assert first.verdict == "failed"
    assert "did you mean 'connect-four'" in first.problem


def test_time_to_compile_is_not_taken_from_playthroughs(monkeypatch: pytest.MonkeyPatch) -> None:
    hour = 0
    monkeypatch.setattr(playthrough, "time", SimpleNamespace(monotonic=lambda: 3600.0 * hour))
    found = playthrough.seeds()
    assert next(found) == 0
    hour = 1  # for compiling
    assert next(found) == 1
    hour = 2
    assert list(found) == []
