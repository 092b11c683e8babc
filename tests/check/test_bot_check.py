"""`check_bot`: good bots pass every step."""

from pathlib import Path

import pytest

from ludus.check import bot_life
from support.checked_bots import BRAIN, ENGINE, GOOFSPIEL, NIM, write_bot
from support.trying import LONG, check, seen, verdicts

pytestmark = pytest.mark.slow


def test_good_bot_passes_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "_WATCHED", 0.5)
    steps = check(write_bot(tmp_path))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[1].notes == [f"runs {tmp_path}/bot.py in {tmp_path}"]
    assert steps[5].notes[0].startswith("episodes against random moves: ")
    assert steps[6].figures["moves"] > 50
    assert 0 < steps[6].figures["slowest"] < LONG
    assert 0 < steps[6].figures["start_up"] < LONG
    assert steps[8].figures == {"same": True}
    assert [note.partition(" the bot ended")[0] for note in steps[9].notes[:2]] == [
        "after 'END'",
        "after the end of its input",
    ]
    assert steps[10].figures["memory"] > 0
    assert not [file for file in tmp_path.iterdir() if file.name != "bot.py"]


def test_lines_may_end_as_in_windows(tmp_path: Path, hurry: None) -> None:
    steps = check(write_bot(tmp_path, ("flush=True", 'end="\\r\\n", flush=True')))
    assert verdicts(steps) == "p" * 10, seen(steps)


@pytest.mark.parametrize(
    ("protocol", "game", "source"),
    [
        ("stdio", "nim:players=3", NIM),
        ("stdio", "goofspiel:cards=4", GOOFSPIEL),
        ("gomocup", "gomoku:size=9", BRAIN),
    ],
)
def test_good_bots_for_other_games_pass(tmp_path: Path, protocol: str, game: str, source: str) -> None:
    steps = check(f"{protocol}:{write_bot(tmp_path, source=source)}", game)
    assert verdicts(steps) == "p" * 10, seen(steps)


def test_good_engine_passes(tmp_path: Path, hurry: None) -> None:
    pytest.importorskip("chess")
    steps = check(f"uci:{write_bot(tmp_path, source=ENGINE, options='-I')}", "chess")
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[5].notes == [
        "episodes against random moves: 2, with 20 moves by the bot",
        "cut after 20 plies because the bot is slow: 2",
    ]
    assert steps[9].notes[0].startswith("after 'quit' the bot ended")
