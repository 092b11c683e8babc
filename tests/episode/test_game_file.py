import io
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import chess.pgn
import msgspec
import pytest

from ludus.core.errors import InvalidError, LudusError
from ludus.episode.game_file import holds_games, notation_of, read_records, written
from ludus.episode.limits import Limits
from ludus.episode.opening import random_opening
from ludus.episode.record import Ending, Opening, Record, Seat
from ludus.episode.replay import replay
from ludus.games.game import game_from
from support.playing import played
from support.simple_agents import IllegalAt

GAMES = {
    "chess": Limits(plies=30),
    "hex:size=4,swap=yes": Limits(),
    "gomoku:size=6,length=4,rule=standard": Limits(),
    "othello:size=4": Limits(),
}
DAY = datetime(2026, 3, 4, tzinfo=UTC)


def seats(names: Sequence[str], count: int) -> list[Seat]:
    assert len(names) == count
    return [Seat("random", name) for name in names]


def read(file: Path) -> list[Record]:
    found = list(read_records(file, seats))
    assert not [error for error in found if isinstance(error, LudusError)]
    return [record for record in found if isinstance(record, Record)]


def written_to(folder: Path, records: Sequence[Record]) -> Path:
    game = game_from(records[0].game)
    notation = game.notation()
    assert notation is not None
    file = folder / f"games{notation.written}"
    file.write_text(
        "".join(written(record, notation, game, "Cup", f"1.{number}") for number, record in enumerate(records))
    )
    return file


def moves(record: Record) -> list[tuple[int, str]]:
    """All moves, those of the opening too."""
    return [(move.seat, move.move) for scene in replay(record) for move in scene.step]


@pytest.mark.parametrize("game", GAMES)
def test_games_come_back_with_their_moves_and_results(game: str, tmp_path: Path) -> None:
    records = [
        played(
            game, "random", "random", seed=seed, limits=GAMES[game], opening=random_opening(game_from(game), seed, seed)
        )
        for seed in range(4)
    ]
    back = read(written_to(tmp_path, records))
    for record, found in zip(records, back, strict=True):
        assert moves(found) == moves(record)
        assert (found.game, found.scores, found.ending) == (record.game, record.scores, record.ending)
        assert [seat.name for seat in found.seats] == [seat.name for seat in record.seats]
        assert found.played.date() == record.played.date()


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("chess", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"),
        ("hex:size=4", "x.../.o../..x./.... o"),
        ("gomoku:size=6,length=4", "x...../.o..../..x.../....../....../......"),
        ("othello:size=4", ".x../.xx./.xo./.... o"),
    ],
)
def test_start_positions_come_back(game: str, position: str, tmp_path: Path) -> None:
    record = played(game, "random", "random", opening=Opening(position), limits=Limits(plies=4))
    [found] = read(written_to(tmp_path, [record]))
    assert found.opening.position == record.opening.position
    assert moves(found) == moves(record)


def test_pgn_is_what_python_chess_reads(tmp_path: Path) -> None:
    record = played("chess", "random", "random", seed=3, limits=Limits(plies=12))
    record.seats[0].name = 'A "quoted"\nname'
    record = msgspec.structs.replace(record, played=DAY + timedelta(hours=5))
    record.steps[0][0].wall = 1_234_000_000
    file = written_to(tmp_path, [record, record])
    stream = io.StringIO(file.read_text())
    for number in range(2):
        game = chess.pgn.read_game(stream)
        assert game is not None
        assert not game.errors
        assert [node.move.uci() for node in game.mainline()] == [move for _, move in moves(record)]
        assert (game.headers["Event"], game.headers["Round"]) == ("Cup", f"1.{number}")
        assert (game.headers["Result"], game.headers["Termination"]) == ("1/2-1/2", "adjudication")
        assert (game.headers["UTCDate"], game.headers["UTCTime"]) == ("2026.03.04", "05:00:00")
        assert next(iter(game.mainline())).emt() == 1.234
    assert chess.pgn.read_game(stream) is None
    assert read(file)[0].steps[0][0].wall == 1_234_000_000


@pytest.mark.parametrize("game", ["chess", "hex:size=4"])
def test_a_game_lost_by_a_fault_stays_lost(game: str, tmp_path: Path) -> None:
    record = played(game, "random", IllegalAt(turn=2))
    [found] = read(written_to(tmp_path, [record]))
    assert (found.scores, found.by, moves(found)) == (record.scores, [1], moves(record))
    assert found.ending in (Ending.ILLEGAL, Ending.FAILED)
    list(replay(found))  # it agrees with the rules


def test_a_player_that_resigns_or_runs_out_of_time_loses(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(
        '[Date "2026.03.04"]\n[White "a"]\n[Black "b"]\n[Result "0-1"]\n\n1. e4 e5 0-1\n\n'
        '[White "a"]\n[Black "b"]\n[Result "0-1"]\n[Termination "time forfeit"]\n\n'
        "1. e4 {first} e5 (1... c5) 2. Nf3 0-1\n\n"
        '[White "a"]\n[Black "b"]\n[Result "1/2-1/2"]\n\n1. e4 1/2-1/2\n\n'
        '[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. e4 *\n'
    )
    resigned, late, agreed, open_end = read(file)
    assert (resigned.scores, resigned.ending, resigned.by, resigned.played) == ([-1.0, 1.0], Ending.QUIT, [0], DAY)
    assert (late.scores, late.ending, [move for _, move in moves(late)]) == (
        [-1.0, 1.0],
        Ending.LATE,
        ["e2e4", "e7e5", "g1f3"],
    )
    assert (agreed.scores, agreed.ending) == ([0.0, 0.0], Ending.PLIES)
    assert open_end.ending is Ending.MACHINE
    for record in (resigned, late, agreed, open_end):
        list(replay(record))


def test_equal_games_of_one_file_stay_two(tmp_path: Path) -> None:
    record = msgspec.structs.replace(played("othello:size=4", "random", "random"), played=DAY)
    one, other = read(written_to(tmp_path, [record, record]))
    assert one.played != other.played


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.pgn", '[White "a"]\n[Black "b"]\n\n1. e4 e5\n2. Nf6 *\n', 5),
        ("a.pgn", "\nhello\n", 2),
        ("a.pgn", '[White "a"]\n[Black "b"]\n\n1. e4 Ke5\n2. d4) d5 *\n', 4),
        ("a.pgn", '[White "a"]\n[Variant "Atomic"]\n\n1. e4 *\n', 1),
        ("a.pgn", '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n', 1),
        ("a.sgf", "(;GM[11]SZ[5]\n;B[a1];W[a1])", 1),
        ("a.sgf", "\n(;GM[11]SZ[5]\n;B[f1])", 3),
        ("a.sgf", "(;GM[11]SZ[5]\n;B[a1];B[a2])", 1),
        ("a.sgf", "(;GM[11]SZ[5:6]\n;B[a1])", 1),
        ("a.sgf", "(;GM[11]SZ[5]\n;B[a1]\n", 3),
        ("a.sgf", "(;GM[11]\n?;B[a1])", 2),
        ("a.sgf", "(;GM[2]SZ[8]\n;B[aa])", 1),
    ],
)
def test_a_wrong_game_is_named_with_its_line(name: str, text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    [error] = read_records(file, seats)
    assert isinstance(error, InvalidError)
    assert str(error).startswith(f"Line {line} of {file}")


def test_games_after_a_wrong_one_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;GM[11]SZ[3];B[d1])(;GM[1];B[aa])(;GM[11]SZ[3]PB[b]PW[w];B[a1])")
    wrong, right = read_records(file, seats)
    assert isinstance(wrong, InvalidError)
    assert isinstance(right, Record)
    assert [seat.name for seat in right.seats] == ["b", "w"]


def test_a_file_without_games_of_ludus_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "go.sgf"
    file.write_text("(;GM[1]SZ[19];B[dd])")
    with pytest.raises(InvalidError, match="no game"):
        list(read_records(file, seats))


def test_only_the_form_of_a_game_is_written() -> None:
    assert notation_of(game_from("chess"), Path("x.PGN")).written == ".pgn"
    for game, file in (("chess", "x.sgf"), ("chess", "x.epd"), ("hex", "x.pgn"), ("nim", "x.pgn")):
        with pytest.raises(InvalidError, match=game):
            notation_of(game_from(game), Path(file))
    assert [holds_games(Path(name)) for name in ("a.pgn", "a.SGF", "a.json", "a")] == [True, True, False, False]
