import subprocess
import sys
from pathlib import Path

import pytest

from ludus.episode.cost import Cost
from ludus.episode.journal import MOST_ANSWERS, Journal, Phase, preparations
from ludus.episode.record import Fault, Key, Preparation

KEY = Key(1, 2, 3)


def journals(folder: Path) -> tuple[Journal, Journal]:
    """A journal for its writer, and the same for a reader."""
    written = Journal.create(folder / "journal")
    seen = Journal.read(folder / "journal")
    assert seen is not None
    return written, seen


def test_answers_are_read_as_they_were_written(tmp_path: Path) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY, (7, 5))
    costs = Cost(wall=5_000, cpu=2_000, waited=1_000, memory=8), Cost(wall=7_000, cpu=6_000)
    written.answered(0, 3, None, costs[0])
    written.answered(1, None, Fault.FAILED, costs[1])
    head = seen.head()
    assert head is not None
    assert (head.phase, head.key, head.seats, head.seat) == (Phase.PLAYING, KEY, (7, 5), None)
    noted = seen.noted(head)
    assert noted is not None
    assert [(seat, answer.move, answer.fault) for seat, answer in noted] == [(0, 3, None), (1, None, Fault.FAILED)]
    assert [answer.cost for _, answer in noted] == list(costs)
    assert [made.fault for made in preparations(noted, 2)] == [None, Fault.FAILED]
    assert next(preparations(noted, 2)) == Preparation(wall=5_000, cpu=2_000, waited=1_000, memory=8)


@pytest.mark.parametrize(
    ("move", "read"),
    [
        (True, 1),
        (-5, -5),
        ("d4", "d4"),
        ("ä" * 40, "ä" * 20),
        (3.5, "3.5"),
        ([1, 2], "[1, 2]"),
        (10**30, str(10**30)),
        (-(2**63) - 1, str(-(2**63) - 1)),
        (None, None),
    ],
)
def test_moves_of_every_kind_are_kept(tmp_path: Path, move: object, read: object) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY)
    written.answered(0, move, None, Cost())
    head = seen.head()
    assert head is not None
    [(_, answer)] = seen.noted(head) or []
    assert answer.move == read


def test_move_with_hostile_code_is_kept_as_its_type(tmp_path: Path) -> None:
    class Hostile:
        def __index__(self) -> int:
            raise SystemError

        def __repr__(self) -> str:
            raise SystemError

    written, seen = journals(tmp_path)
    written.answered(0, Hostile(), None, Cost())
    head = seen.head()
    assert head is not None
    [(_, answer)] = seen.noted(head) or []
    assert answer.move == "Hostile"


def test_thinking_seat_is_seen_with_its_time(tmp_path: Path) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY)
    written.thinking(1, 10**9)
    head = seen.head()
    assert head is not None
    assert (head.seat, head.granted, written.asked) == (1, 10**9, 1)
    written.thinking(0, None)
    head = seen.head()
    assert head is not None
    assert (head.seat, head.granted) == (0, None)


def test_journal_of_the_last_episode_remains_until_the_next_begins(tmp_path: Path) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY)
    written.answered(0, 3, None, Cost())
    written.rest()
    head = seen.head()
    assert head is not None
    assert (head.phase, head.answers) == (Phase.IDLE, 1)
    written.phase(Phase.PLAYING, KEY)
    assert seen.noted(head) is None


def test_answers_beyond_the_last_place_are_left_out(tmp_path: Path) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY)
    for move in range(MOST_ANSWERS + 5):
        written.answered(0, move, None, Cost())
    head = seen.head()
    assert head is not None
    assert head.answers == MOST_ANSWERS
    noted = seen.noted(head, known=MOST_ANSWERS - 1)
    assert noted is not None
    assert [answer.move for _, answer in noted] == [MOST_ANSWERS - 1]


@pytest.mark.parametrize("content", [b"", b"no journal", bytes(1 << 20)])
def test_other_files_are_no_journals(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert Journal.read(tmp_path / "journal") is None
    assert Journal.read(tmp_path / "missing") is None


def test_journal_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    journals(tmp_path)
    assert (tmp_path / "journal").stat().st_mode & 0o777 == 0o600


def test_reader_of_an_old_journal_keeps_it_when_a_new_one_takes_its_place(tmp_path: Path) -> None:
    written, seen = journals(tmp_path)
    written.phase(Phase.PLAYING, KEY)
    written.answered(0, 3, None, Cost())
    newer, seen_anew = journals(tmp_path)
    newer.phase(Phase.PLAYING, Key(0, 0, 0))
    head, head_anew = seen.head(), seen_anew.head()
    assert head is not None
    assert head_anew is not None
    assert (head.key, head.answers) == (KEY, 1)
    assert (head_anew.key, head_anew.answers) == (Key(0, 0, 0), 0)


WRITER = """
import sys
from pathlib import Path
from ludus.episode.cost import Cost
from ludus.episode.journal import Journal, Phase
from ludus.episode.record import Key

journal = Journal.create(Path(sys.argv[1]))
print(flush=True)
number = 0
while True:  # every value of an episode is its number, so that a mixture of two shows
    number += 1
    journal.phase(Phase.PLAYING, Key(number, number, number), [number, number])
    for move in range(number % 50):
        journal.thinking(number % 8, number)
        journal.answered(move, number, None, Cost(wall=number, cpu=number))
"""


@pytest.mark.slow
def test_no_reader_ever_sees_a_mixture_of_two_states(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "journal")], stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            writer.stdout.readline()
            seen = Journal.read(tmp_path / "journal")
            assert seen is not None
            answers = 0
            generations: set[int] = set()
            while len(generations) < 300 or answers < 3000:
                head = seen.head()
                if head is None or head.generation == 0:
                    continue
                number = head.generation
                generations.add(number)
                assert head.key == (number, number, number)
                assert head.seats == (number, number)
                assert head.answers <= number % 50
                assert head.seat in (None, number % 8)
                noted = seen.noted(head)
                if noted is None:
                    continue
                answers += len(noted)
                assert [seat for seat, _ in noted] == list(range(head.answers))
                assert {(answer.move, answer.cost.wall, answer.cost.cpu) for _, answer in noted} <= {(number,) * 3}
        finally:
            writer.kill()
