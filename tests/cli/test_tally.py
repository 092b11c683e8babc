import re
from datetime import UTC, datetime

from rich.console import Console

from ludus.cli.tally import rendered
from ludus.episode.record import Ending, Fault, Move, Preparation, Record, Seat
from ludus.stats.tally import Tally
from support.sentences import missing


def episode(*scores: float, ending: Ending = Ending.RULES, moves: tuple[Move, ...] = ()) -> Record:
    return Record(
        format=1,
        ludus="0.1.0",
        played=datetime.now(UTC),
        game="nim",
        seats=[Seat("random", "random") for _ in scores],
        seed=0,
        scores=list(scores),
        ending=ending,
        steps=[[move] for move in moves],
    )


def lines(tally: Tally) -> list[list[str]]:
    console = Console(width=120)
    with console.capture() as capture:
        console.print(rendered(tally))
    return [line.split() for line in capture.get().splitlines()]


def test_shared_first_place_is_a_tie_and_scores_by_place() -> None:
    tally = Tally(["a", "b", "c"])
    tally.add(episode(1.0, 0.0, -1.0), [0, 1, 2])
    tally.add(episode(0.5, -1.0, 0.5), [1, 2, 0])
    rows = lines(tally)
    assert rows[2][:7] == ["a", "1", "1", "0", "87.5", "%", "+1.50"]
    assert rows[3][:7] == ["b", "0", "1", "1", "62.5", "%", "+0.50"]
    assert rows[4][:7] == ["c", "0", "0", "2", "0.0", "%", "−2"]


def test_results_are_kept_for_each_seat_and_times_for_each_agent() -> None:
    tally = Tally(["a", "b"])
    tally.add(episode(1.0, -1.0, moves=(Move(0, "x", wall=1_000), Move(-1, "6"), Move(1, "y", wall=5_000))), [0, 1])
    tally.add(episode(1.0, -1.0, moves=(Move(0, "x", wall=2_000), Move(1, "y", wall=3_000_000))), [1, 0])
    rows = lines(tally)
    assert rows[2][7:] == ["2", "1.50", "ms", "3.00", "ms"]
    assert rows[3][7:] == ["2", "3.50", "µs", "5.00", "µs"]
    assert rows[-2:] == [["a", "1–0–0", "0–0–1"], ["b", "1–0–0", "0–0–1"]]


def test_faults_and_unfinished_episodes_are_noted() -> None:
    tally = Tally(["a", "b"])
    tally.add(episode(0.0, 0.0, ending=Ending.PLIES), [0, 1])
    tally.add(episode(-1.0, 1.0, ending=Ending.LATE, moves=(Move(0, "", wall=9, fault=Fault.LATE),)), [1, 0])
    notes = [" ".join(words) for words in lines(tally)[-2:]]
    assert not missing(notes[0], "1 of 2 plies")
    assert not missing(notes[1], "b late 1 episode")


def test_faults_are_listed_with_the_first_evidence_even_from_preparation() -> None:
    tally = Tally(["a", "b"])
    for evidence in ("its process ended\nlast messages:", "no answer"):
        failed = episode(-1.0, 1.0, ending=Ending.FAILED)
        failed.seats[0].preparation = Preparation(fault=Fault.FAILED, evidence=evidence)
        tally.add(failed, [0, 1])
    late = Move(0, "x", fault=Fault.LATE, evidence="answered after 2 s")
    tally.add(episode(-1.0, 1.0, moves=(late, Move(1, "y"), late)), [0, 1])
    note = " ".join(lines(tally)[-1])
    assert not missing(note, "a failed late")
    assert re.findall(r"\d", note) == ["2", "2", "1"]
    assert note.endswith(": its process ended.")
