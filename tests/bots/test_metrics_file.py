import os
from pathlib import Path

import pytest

from ludus.bots import metrics_file
from ludus.bots.metrics_file import LARGEST, Metrics
from support.sentences import missing

pytestmark = pytest.mark.slow

MOVES = ["7-7", "6-3", "8-8"]
S = 10**9


def read_metrics(folder: Path, match_name: str, moves: list[str], since: int = 0) -> Metrics:
    return metrics_file.read_metrics(folder, match_name, moves, since)


def written(folder: Path, content: str | bytes, name: str = "cup-1-seat0.csv") -> None:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def test_lines_are_matched_to_moves_and_numbers_are_numbers(tmp_path: Path) -> None:
    written(tmp_path, "Turn;Time;Iterations;value;line\n7-7;12;3;0.25;a b\n6-3;567;1350;-1e3;\n8-8;1;2;3;x\n")
    assert read_metrics(tmp_path, "cup-1-seat0", MOVES) == (
        [
            {"Time": 12, "Iterations": 3, "value": 0.25, "line": "a b"},
            {"Time": 567, "Iterations": 1350, "value": -1000.0},
            {"Time": 1, "Iterations": 2, "value": 3, "line": "x"},
        ],
        [],
    )


@pytest.mark.parametrize(
    ("moves", "rows", "matched"),
    [
        (MOVES, ["6-3", "8-8"], [None, 0, 1]),  # without the opening move
        (["a", "a", "a"], ["a", "a"], [None, 0, 1]),
        (["a", "b", "a", "c"], ["b", "a", "c"], [None, 0, 1, 2]),
        (["a", "b", "a", "c"], ["a", "b"], [0, 1, None, None]),  # it did not come to the rest
        (["a", "b", "c"], ["a", "c"], [0, None, 1]),
        (["a1", "b2"], ["A1", " b2 "], [0, 1]),
        (["a"], [], [None]),
        ([], [], []),
    ],
)
def test_moves_without_a_line_have_no_metrics(
    tmp_path: Path, moves: list[str], rows: list[str], matched: list[int | None]
) -> None:
    written(tmp_path, "Turn;N\n" + "".join(f"{text};{number}\n" for number, text in enumerate(rows)))
    expected = [{} if number is None else {"N": number} for number in matched]
    assert read_metrics(tmp_path, "cup-1-seat0", moves) == (expected, [])


def test_lines_of_moves_that_were_not_made_are_told(tmp_path: Path) -> None:
    written(tmp_path, "Turn;N\n7-7;1\n9-9;2\n6-3;3\n7-7;4\n")
    found = read_metrics(tmp_path, "cup-1-seat0", MOVES)
    assert found.of_moves == [{"N": 1}, {"N": 3}, {}]
    assert found.remarks == ["wrote cup-1-seat0.csv, in which 2 lines have a move that it did not make"]


def test_lines_with_too_few_or_too_many_columns_are_left_out_and_told(tmp_path: Path) -> None:
    written(tmp_path, "Turn;Time;N\n7-7;1;5\n6-3;1\n8-8;1;2;3\n")
    found = read_metrics(tmp_path, "cup-1-seat0", MOVES)
    assert found.of_moves == [{"Time": 1, "N": 5}, {}, {}]
    told = "in which 2 lines have another number of columns than the header, such as line 3"
    assert found.remarks == [f"wrote cup-1-seat0.csv, {told}"]


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffTurn;N\r\n7-7;1\r\n",
        "Turn;N;\n7-7;1;\n",
        "Turn;N\n7-7;1;\n\n",
        "N;Turn\n1;7-7",
        'Turn;N\n"7-7";"1"\n',
        " Turn ; N \n 7-7 ; 1 \n",
    ],
)
def test_files_may_be_written_by_any_program(tmp_path: Path, content: str) -> None:
    written(tmp_path, content)
    assert read_metrics(tmp_path, "cup-1-seat0", ["7-7"]) == ([{"N": 1}], [])


def test_several_files_of_an_episode_are_put_together(tmp_path: Path) -> None:
    written(tmp_path, "Turn;N\n7-7;1\n", "cup-1-seat0_search.csv")
    written(tmp_path, "Turn;Time\n7-7;9\n", "cup-1-seat0_time.csv")
    written(tmp_path, "Turn;Other\n7-7;9\n", "cup-2-seat0.csv")
    written(tmp_path, "Turn;Log\n7-7;9\n", "cup-1-seat0.log")
    assert read_metrics(tmp_path, "cup-1-seat0", ["7-7"]) == ([{"N": 1, "Time": 9}], [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "which has no header with a column Turn"),
        (b"7-7;12;3\n", "which has no header with a column Turn"),
        (b"Turn;N\n7-7;\xff\n", "which is not UTF-8"),
        (b"Turn;N\n7-7;" + b"1" * 200_000, "which is not CSV: field larger than field limit (131072)"),
        (b"Turn" + b";N" * 51 + b"\n7-7" + b";1" * 51, "which has more than 50 columns of metrics and was not read"),
        (b"Turn;N\n" + b"7-7;1\n" * LARGEST, "which is larger than 1 MiB and was not read"),
    ],
)
def test_what_is_wrong_with_a_file_is_a_remark(tmp_path: Path, content: bytes, said: str) -> None:
    written(tmp_path, content)
    assert read_metrics(tmp_path, "cup-1-seat0", ["7-7"]) == ([{}], [f"wrote cup-1-seat0.csv, {said}"])


def test_what_is_no_file_is_a_remark_and_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "cup-1.csv").mkdir()
    os.mkfifo(tmp_path / "cup-2.csv")
    (tmp_path / "cup-3.csv").symlink_to(tmp_path / "cup-3.csv")
    (tmp_path / "cup-4.csv").symlink_to("/dev/zero")
    assert read_metrics(tmp_path, "cup", ["a"]).remarks == [
        "wrote cup-1.csv, which is a folder",
        "wrote cup-2.csv, which is not a plain file",
        "wrote cup-3.csv, which cannot be read: Too many levels of symbolic links",
        "wrote cup-4.csv, which is not a plain file",
    ]


def test_a_name_that_is_no_text_can_be_told(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"cup-\xff.csv")).touch()
    [remark] = read_metrics(tmp_path, "cup", []).remarks
    assert remark.encode() == b"wrote cup-?.csv, which has no header with a column Turn"


def test_a_folder_that_is_gone_is_a_remark(tmp_path: Path) -> None:
    found = read_metrics(tmp_path / "gone", "cup", ["a"])
    assert found == ([{}], ["runs in a folder that cannot be read: No such file or directory"])


@pytest.mark.parametrize(
    ("changed", "is_taken"),
    [(9 * S + S // 2, False), (10 * S + 5 * 10**6, True), (10 * S + 10**8, True), (9 * S, True), (8 * S, False)],
)
def test_file_that_was_not_changed_since_the_episode_began_is_not_taken(
    tmp_path: Path, changed: int, is_taken: bool
) -> None:
    written(tmp_path, "Turn;N\n7-7;1\n")
    os.utime(tmp_path / "cup-1-seat0.csv", ns=(changed, changed))
    found = read_metrics(tmp_path, "cup-1-seat0", ["7-7"], since=10 * S + 10**7)
    older = "wrote cup-1-seat0.csv, which is older than this episode and was not read"
    assert found == (([{"N": 1}], []) if is_taken else ([{}], [older]))


def test_texts_are_cut(tmp_path: Path) -> None:
    written(tmp_path, f"Turn;N\n7-7;{'x' * 300}\n")
    assert read_metrics(tmp_path, "cup-1-seat0", ["7-7"]).of_moves == [{"N": "x" * 200}]


def test_metrics_under_another_name_are_reported(tmp_path: Path) -> None:
    written(tmp_path, "Turn;N\n7-7;1\n", "metrics.csv")
    written(tmp_path, "Name;N\nx;1\n", "settings.csv")
    written(tmp_path, "Turn;N\n7-7;1\n", "cup_1_1_10.csv")
    found = read_metrics(tmp_path, "cup_1_1_1", ["7-7"])
    assert found.of_moves == [{}]
    (remark,) = found.remarks
    assert missing(remark, "metrics.csv cup_1_1_1") == []
    os.utime(tmp_path / "metrics.csv", ns=(0, 0))
    assert read_metrics(tmp_path, "cup_1_1_1", ["7-7"], since=10 * S).remarks == []


def test_metrics_of_a_game_whose_number_begins_alike_are_not_taken(tmp_path: Path) -> None:
    written(tmp_path, "Turn;N\n7-7;10\n", "cup_1_1_10.csv")
    written(tmp_path, "Turn;N\n7-7;1\n", "cup_1_1_1_search.csv")
    assert read_metrics(tmp_path, "cup_1_1_1", ["7-7"]) == ([{"N": 1}], [])
