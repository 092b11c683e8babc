"""An episode on a terminal, step by step."""

import copy
import signal
from pathlib import Path

import pytest

from ludus.cli.replay_viewer import Viewer
from ludus.episode.limits import Limits
from ludus.episode.record import Record
from support.running import Terminal, program
from support.samples import sample
from support.seer import SEER, episode_of, record_of


def viewer_of(record: Record, pace: float | None = None) -> Viewer:
    return Viewer(episode_of(record), pace)


def shown(viewer: Viewer, width: int = 80, height: int = 24) -> str:
    return "\n".join(line.plain for line in viewer.lines(width, height))


def pressed(viewer: Viewer, *keys: str) -> int:
    """The place after these keys."""
    for key in keys:
        viewer.press(key)
    return viewer.place


# --- Keys ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (["right", " ", "enter", "n"], 4),
        (["n", "n", "n", "left", "p"], 1),
        (["n", "backspace", "p"], 0),
        (["page down", "n", "page up"], 1),
        (["page down", "home"], 0),
        (["page down", "g", "n"], 1),
        (["1", "2", "enter"], 12),
        (["1", "2", "backspace", "enter"], 1),
        ([":", "1", "1", "enter", "n"], 12),
        ([":", "enter"], 0),
        (["1", "2", "escape", "n"], 1),
        (["1", "2", "right"], 1),
        (["9", "9", "9", "9", "backspace", "backspace", "backspace", "backspace", "n"], 1),
        (["z", "é", "up", "down"], 0),
        (["?", "n", "n"], 1),
    ],
)
def test_keys_go_to_a_position(keys: list[str], place: int) -> None:
    viewer = viewer_of(sample("one mover at a time").records[0])
    assert pressed(viewer, *keys) == place
    assert not viewer.done


@pytest.mark.parametrize("keys", [["end"], ["G", "n"], ["9", "9", "9", "enter"]])
def test_nothing_comes_after_the_end(keys: list[str]) -> None:
    viewer = viewer_of(sample("one mover at a time").records[0])
    assert pressed(viewer, *keys) == len(viewer.episode.moments) - 1


@pytest.mark.parametrize("key", ["q", "escape", "interrupt"])
def test_keys_that_leave(key: str) -> None:
    viewer = viewer_of(sample("one mover at a time").records[0])
    pressed(viewer, key)
    assert viewer.done


def test_a_number_names_a_move_and_not_a_roll_of_dice() -> None:
    viewer = viewer_of(sample("one player, chance").records[0])
    pressed(viewer, "7", "enter")
    moment = viewer.episode.moments[viewer.place]
    assert (moment.round - 1, moment.step[0].seat) == (7, 0)


def test_it_plays_by_itself_until_the_end_or_a_key() -> None:
    viewer = viewer_of(sample("one mover at a time").records[0], pace=0.5)
    assert (viewer.playing, viewer.pace) == (True, 0.5)
    viewer.tick()
    pressed(viewer, "left")
    assert (viewer.playing, viewer.place) == (False, 0)
    pressed(viewer, "a")
    while viewer.playing:
        viewer.tick()
    assert viewer.place == len(viewer.episode.moments) - 1
    assert (pressed(viewer, "a"), viewer.playing) == (0, True)


@pytest.mark.parametrize("kind", ["substituted", "failed", "illegal", "late"])
def test_a_fault_is_found_and_explained(kind: str) -> None:
    viewer = viewer_of(sample(kind).records[0])
    pressed(viewer, "f")
    faults = [move for step in viewer.episode.record.steps for move in step if move.fault]
    assert faults[0].evidence.split("\n")[0].rstrip(".")[:20] in shown(viewer, width=200)
    pressed(viewer, "end", "f")
    assert "No fault after this position." in shown(viewer)


def test_metrics_are_hidden_and_shown_again() -> None:
    viewer = viewer_of(sample("metrics").records[0])
    pressed(viewer, "n")
    assert "simulations 30" in shown(viewer)
    pressed(viewer, "m")
    assert "simulations 30" not in shown(viewer)
    pressed(viewer, "m")
    assert "simulations 30" in shown(viewer)


def test_layers_of_the_record_are_shown_one_after_the_other() -> None:
    viewer = viewer_of(record_of("connect-four", f"{SEER}:layers=yes", "random"))
    pressed(viewer, "n")
    kinds = []
    for _ in range(3):
        pressed(viewer, "l")
        kinds.append([name for name in ("heat:", "path:") if name in shown(viewer)])
    assert sorted(kinds) == [[], ["heat:"], ["path:"]]
    pressed(viewer, "n", "l")
    assert "The record does not hold what an agent saw" in shown(viewer, width=100)


# --- What is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["one mover at a time", "all at once", "three players", "failed", "long moves"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 50), (20, 5), (1, 1)])
def test_every_position_fits_the_screen(kind: str, size: tuple[int, int]) -> None:
    viewer = viewer_of(sample(kind).records[0])
    for _ in viewer.episode.moments:
        lines = viewer.lines(*size)
        assert len(lines) == size[1]
        assert max(line.cell_len for line in lines) <= size[0]
        pressed(viewer, "n")


def test_a_position_is_shown_with_its_players_moves_and_board() -> None:
    record = sample("one mover at a time").records[0]
    viewer = viewer_of(record)
    pressed(viewer, "3", "enter")
    lines = shown(viewer).split("\n")
    assert lines[0].startswith(f"move 3 of {len(record.steps)}  connect-four")
    assert any(" 2  random #2  to move" in line for line in lines)
    assert any(f"  3. random #1: {record.steps[2][0].move}" in line for line in lines)
    assert any(line.rstrip().endswith(f"  2.  {record.steps[1][0].move}") for line in lines)
    assert "1 2 3 4 5 6 7" in shown(viewer)


def test_the_end_is_shown_with_the_result_and_the_scores() -> None:
    record = sample("one mover at a time").records[0]
    viewer = viewer_of(record)
    pressed(viewer, "G")
    text = shown(viewer)
    assert "Somebody wins." in text
    assert f" 1  random #1  {record.scores[0]:+g}" in text


def test_part_with_the_last_move_is_shown_of_a_board_that_does_not_fit() -> None:
    record = record_of("gomoku", "random", "random")
    viewer = viewer_of(record)
    for step in record.steps:
        pressed(viewer, "n")
        row = step[0].move.split("-")[1]
        assert f"\n{row:>2} " in shown(viewer, 60, 12)
    before = shown(viewer, 60, 12)
    pressed(viewer, "up", "up", "up", "up", "down", "down", "down", "down")
    assert shown(viewer, 60, 12) == before


def test_clocks_are_those_of_the_referee() -> None:
    record = copy.deepcopy(sample("one mover at a time").records[0])
    record.limits = Limits(total=10 * 10**9, increment=10**9)
    for step in record.steps:
        step[0].wall = step[0].cpu = 3 * 10**9
    viewer = viewer_of(record)
    pressed(viewer, "3", "enter")
    assert "6.00 s used  6.00 s left" in shown(viewer, width=120)
    assert "3.00 s used  8.00 s left" in shown(viewer, width=120)
    pressed(viewer, "p", "p", "p")
    assert shown(viewer, width=120).count("10.0 s left") == 2


def test_fault_during_preparation_is_shown_at_the_start() -> None:
    viewer = viewer_of(sample("failed while getting ready").records[0])
    assert "while getting ready: failed" in shown(viewer, width=200)


# --- On a terminal ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    path.write_text(sample("one mover at a time").records[0].to_json())
    return str(path)


@pytest.mark.slow
def test_person_steps_through_an_episode(file: str) -> None:
    terminal = Terminal("replay", file, size=(80, 24))
    terminal.wait_for("start of ")
    terminal.type("\x1b[C")
    terminal.wait_for("move 1 of ")
    terminal.type("12\r")
    terminal.wait_for("move 12 of ")
    terminal.resize(60, 20)
    terminal.wait_for("move 12 of ")
    terminal.type("?")
    terminal.wait_for("next position")
    terminal.type("q")  # leaves the help
    terminal.wait_for("move 12 of ")
    terminal.type("q")
    assert (terminal.end(), terminal.echoed_at_end) == (0, True)
    assert terminal.raw.count("\x1b[?1049h") == terminal.raw.count("\x1b[?1049l") == 1
    assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_terminal_is_restored_when_the_replay_is_stopped(file: str, number: signal.Signals) -> None:
    terminal = Terminal("replay", file, size=(80, 24))
    terminal.wait_for("start of ")
    terminal.signal(number)
    assert (terminal.end(), terminal.echoed_at_end) == (130, True)
    assert terminal.raw.rindex("\x1b[?1049l") > terminal.raw.rindex("\x1b[?1049h")


@pytest.mark.slow
def test_pace_makes_the_replay_play_by_itself(file: str) -> None:
    terminal = Terminal("replay", file, "--pace", "0.05", size=(80, 24))
    terminal.wait_for("playing")
    moves = len(sample("one mover at a time").records[0].steps)
    terminal.wait_for(f"move {moves} of {moves}")
    terminal.type("\x03")
    assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("options", "kind"), [(["--pace", "0"], "xterm"), ([], "dumb"), (["--log"], "xterm")])
def test_all_positions_are_printed_at_once_on_request(file: str, options: list[str], kind: str) -> None:
    terminal = Terminal("replay", file, *options, size=(80, 24), TERM=kind)
    assert terminal.end() == 0
    assert "\x1b[?1049h" not in terminal.raw
    assert terminal.text.count("1 2 3 4 5 6 7") == len(sample("one mover at a time").records[0].steps) + 1


@pytest.mark.slow
def test_one_position_is_printed(file: str, tmp_path: Path) -> None:
    record = sample("one mover at a time").records[0]
    done = program("replay", file, "--move", "2")
    assert done.returncode == 0
    assert done.stdout.count("1 2 3 4 5 6 7") == 1
    assert f"  2. random #2: {record.steps[1][0].move}" in done.stdout
    assert "wins" not in done.stdout
    assert "wins" in program("replay", file, "--move", str(len(record.steps))).stdout
    assert program("replay", file, "--move", "0").stdout.count(". . . . . . .") == 6
