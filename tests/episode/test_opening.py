from pathlib import Path

import pytest

from ludus import LudusError
from ludus.episode.opening import Openings, random_opening, read_openings, start_state
from ludus.episode.record import FROM_THE_START, Opening, Seat
from ludus.episode.referee import Referee
from ludus.games.game import Game, game_from
from support.sentences import one_sentence
from support.takeaway import write_game


def begun(game: Game, opening: Opening) -> Referee:
    """A referee after the opening, which must not end the game."""
    referee = Referee(game, [Seat("test", str(seat)) for seat in range(game.seats)], opening=opening)
    referee.begin()
    assert referee.requests()
    return referee


def test_random_openings_are_as_long_as_asked_and_differ_by_seed() -> None:
    game = game_from("tic-tac-toe")
    openings = [random_opening(game, 3, seed) for seed in (1, 1, 2, 3)]
    assert all(len(opening.moves) == 3 for opening in openings)
    assert openings[0] == openings[1]
    assert len({str(opening.moves) for opening in openings}) > 1


def test_random_openings_that_end_the_game_are_drawn_again() -> None:
    # Six random plies have won tic-tac-toe in one case of seven.
    game = game_from("tic-tac-toe")
    for seed in range(40):
        referee = Referee(game, [Seat("test", "a"), Seat("test", "b")], opening=random_opening(game, 6, seed))
        referee.begin()
        assert [request.seat for request in referee.requests()] == [0]
    with pytest.raises(LudusError, match="always end tic-tac-toe"):
        random_opening(game, 9, 1)


def test_random_openings_hold_the_moves_of_all_players_and_of_chance() -> None:
    opening = random_opening(game_from("goofspiel:players=3,cards=4"), 2, seed=1)
    assert [len(texts) for texts in opening.moves] == [1, 3, 1, 3]


# --- Openings by number -------------------------------------------------------------------------------------------


def moves(openings: Openings, numbers: range) -> list[str]:
    return [str(openings.opening(number).moves) for number in numbers]


def test_a_number_has_one_opening_whoever_asks_first() -> None:
    game = game_from("hex:size=4")
    one, other = Openings(game, 2, seed=5), Openings(game, 2, seed=5)
    late = other.opening(99)
    assert moves(one, range(100)) == moves(other, range(100))
    assert one.opening(99) == late
    assert moves(Openings(game, 2, seed=6), range(100)) != moves(one, range(100))


@pytest.mark.parametrize(
    ("spec", "plies", "positions"),
    [
        ("connect-four", 1, 7),
        ("connect-four", 2, 49),
        ("hex:size=4", 2, 240),
        ("tic-tac-toe", 3, 252),
        ("chess", 1, 20),
    ],
)
def test_openings_lead_to_different_positions_while_there_are_some(spec: str, plies: int, positions: int) -> None:
    game = game_from(spec)
    openings = Openings(game, plies, seed=1)
    drawn = {game.save(begun(game, openings.opening(n)).requests()[0].view.state) for n in range(positions)}
    assert len(drawn) == positions
    assert openings.different(positions - 1) == positions - 1
    assert openings.different(10 * positions) == positions
    assert openings.different(10**6) == positions


def test_used_up_openings_are_taken_in_turn() -> None:
    openings = Openings(game_from("connect-four"), 1, seed=1)
    assert moves(openings, range(7, 14)) == moves(openings, range(7))
    assert moves(openings, range(70_000, 70_007)) == moves(openings, range(7))


def test_numbers_beyond_those_kept_are_drawn_independently() -> None:
    openings = Openings(game_from("gomoku"), 3, seed=1)
    late = moves(openings, range(10_000, 10_100))
    assert len(set(late)) == 100
    assert late == moves(openings, range(10_000, 10_100))
    assert openings.different(20_000) == 20_000


def test_openings_that_end_the_game_are_drawn_again() -> None:
    game = game_from("tic-tac-toe")
    openings = Openings(game, 6, seed=1)
    for number in range(50):
        begun(game, openings.opening(number))
    with pytest.raises(LudusError, match="9 random plies always end tic-tac-toe: use fewer"):
        Openings(game, 9).opening(0)


def test_without_plies_everything_begins_at_the_start() -> None:
    openings = Openings(game_from("connect-four"))
    assert all(openings.opening(number) is FROM_THE_START for number in range(3))
    assert openings.different(5) == 1


def test_a_random_start_comes_from_the_number(tmp_path: Path) -> None:
    file = write_game(
        tmp_path,
        ("self.size, 0]", "below(rng, 20) + 4, 0]"),
        ("from ludus.kernel.rules", "from ludus.kernel.rng import below\nfrom ludus.kernel.rules"),
    )
    game = game_from(str(file))
    for plies in (0, 1):
        openings = Openings(game, plies, seed=3)
        heaps = [game.draw(start_state(game, openings.opening(number))) for number in range(10)]
        assert heaps == [game.draw(start_state(game, Openings(game, plies, 3).opening(n))) for n in range(10)]
        assert len(set(heaps)) > 5
        assert all(len(openings.opening(number).moves) == plies for number in range(10))
    assert Openings(game, 0, seed=3).different(1000) == 20


def test_listed_openings_follow_each_other() -> None:
    listed = (Opening(moves=[["1"]]), Opening(moves=[["2"]]), Opening(moves=[["1"]]))
    openings = Openings(game_from("connect-four"), listed=listed)
    assert [openings.opening(number) for number in range(7)] == [*listed, *listed, listed[0]]
    assert [openings.different(count) for count in (1, 2, 3, 9)] == [1, 2, 2, 2]


# --- Openings from a file -----------------------------------------------------------------------------------------


def test_a_file_holds_an_opening_a_line(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(
        "# for Connect Four\n\n4 4  3\n"
        "position ......./......./......./......./......./...x...\n"
        "position ......./......./......./......./......./...x...  moves 4 1 # and a comment\n"
    )
    game = game_from("connect-four")
    position = "......./......./......./......./......./...x..."
    assert read_openings(file, game) == (
        Opening(moves=[["4"], ["4"], ["3"]]),
        Opening(position),
        Opening(position, moves=[["4"], ["1"]]),
    )
    for opening in read_openings(str(file), game):
        begun(game, opening)


def test_moves_are_kept_as_the_game_writes_them(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("e4 e5 Nf3\nposition 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e4\nf3 e5 a3 Qh4+\n")
    first, second, third = read_openings(file, game_from("chess"))
    assert first.moves == [["e2e4"], ["e7e5"], ["g1f3"]]
    assert second == Opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", moves=[["e2e4"]])
    assert third.moves[-1] == ["d8h4"]


def test_moves_made_at_once_are_joined_and_chance_has_its_own(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("3 1+2+4\n")
    game = game_from("goofspiel:players=3,cards=4")
    (opening,) = read_openings(file, game)
    assert opening.moves == [["3"], ["1", "2", "4"]]
    begun(game, opening)


@pytest.mark.parametrize(
    ("spec", "content", "words"),
    [
        ("connect-four", "4 4\n4 9\n", "2 {file} connect-four '9'"),
        ("connect-four", "1 2 1 2 1 2 1\n", "1 {file} connect-four '1' ends"),
        ("connect-four", "position x/o\n", "1 {file} connect-four position"),
        ("goofspiel", "3 1\n", "1 {file} goofspiel '1' 2"),
        ("hex", "# nothing\n", "{file} openings"),
    ],
)
def test_a_wrong_line_is_named_in_one_sentence(spec: str, content: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(content)
    with one_sentence(words.format(file=file)):
        read_openings(file, game_from(spec))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"There is no file .*nowhere\."):
        read_openings(tmp_path / "nowhere", game_from("hex"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(LudusError, match="cannot be read: it is not text"):
        read_openings(tmp_path / "binary", game_from("hex"))


CHESS = '[White "a"]\n[Black "b"]\n\n1. e4 e5 2. Nf3 *\n\n[White "a"]\n[Black "b"]\n\n1. e4 e5 2. Bc4 *\n'


def test_each_game_of_a_file_is_an_opening(tmp_path: Path) -> None:
    book = tmp_path / "book.pgn"
    book.write_text(CHESS)
    first, second = read_openings(book, game_from("chess"))
    assert first.moves == [["e2e4"], ["e7e5"], ["g1f3"]]
    assert second.moves == [["e2e4"], ["e7e5"], ["f1c4"]]
    assert read_openings(book, game_from("chess"), 2) == (Opening(moves=[["e2e4"], ["e7e5"]]),)
    sgf = tmp_path / "book.SGF"
    sgf.write_text("(;GM[1];B[aa])(;GM[2]SZ[4]AB[ab][bb][cb][bc]AW[cc]PL[W];W[aa])")
    [found] = read_openings(sgf, game_from("othello:size=4"))
    assert (found.position, found.moves) == ("..../xxx./.xo./.... o", [["a1"]])


def test_each_line_of_an_epd_file_is_an_opening(tmp_path: Path) -> None:
    board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    epd = tmp_path / "book.epd"
    epd.write_text(f'{board} bm e5; id "one";\n\n{board} 3 7\n')
    assert [found.position for found in read_openings(epd, game_from("chess"))] == [f"{board} 0 1", f"{board} 3 7"]


@pytest.mark.parametrize(
    ("name", "game", "text", "line"),
    [
        ("a.pgn", "chess", CHESS.replace("Bc4", "Bc5"), 9),
        ("a.pgn", "chess", '[White "a"]\n\n1. f3 e5 2. g4 Qh4# *\n', 1),
        ("a.epd", "chess", "\nx\n", 2),
        ("a.sgf", "hex:size=4", "(;GM[11]SZ[4];B[a1])\n(;GM[11]SZ[5];B[a1])", 2),
        ("a.sgf", "hex:size=4", "(;GM[11]SZ[4];B[a1]\n;B[a2])", 1),
    ],
)
def test_a_wrong_game_of_a_file_is_named_with_its_line(
    name: str, game: str, text: str, line: int, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(LudusError, match=f"^Line {line} of .*{name} is not an opening of {game}: "):
        read_openings(file, game_from(game))


def test_a_file_without_games_of_this_kind_has_no_openings(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;GM[11]SZ[15];B[a1])")
    with pytest.raises(LudusError, match="gomoku"):
        read_openings(file, game_from("gomoku"))
