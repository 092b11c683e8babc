"""Chess: python-chess is the oracle of the moves; how games end, notation and evaluation are ours."""

import sys

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.chess import Chess, ChessState, is_legal
from ludus.games.game import Game, game_from
from ludus.kernel import rules
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import duplicate, stack_of

chess = pytest.importorskip("chess")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
EN_PASSANT = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


@pytest.fixture
def game() -> Game:
    return game_from("chess")


def moved(game: Game, state: ChessState, *texts: str) -> ChessState:
    for text in texts:
        (mover,) = game.movers(state)
        rules.play(state, np.array([game.parse(state, mover, text)]))
    return state


def perft(game: Game, state: ChessState, depth: int) -> int:
    (mover,) = game.movers(state)
    moves = game.moves(state, mover)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        then = duplicate(state)
        rules.play(then, np.array([move]))
        total += perft(game, then, depth - 1)
    return total


@pytest.mark.parametrize(
    ("fen", "depth", "leaves"),
    [(chess.STARTING_FEN, 3, 8902), (KIWIPETE, 2, 2039), (EN_PASSANT, 3, 2812), (PROMOTIONS, 3, 9483)],
)
def test_number_of_positions_is_the_published_one(game: Game, fen: str, depth: int, leaves: int) -> None:
    assert perft(game, game.load(fen), depth) == leaves


def test_random_games_agree_with_the_oracle(game: Game) -> None:
    endings = set()
    for seed in range(12):
        rng = new_rng(seed)
        state = game.start(rng)
        oracle = chess.Board()
        while not rules.over(state):
            assert oracle.outcome() is None
            assert not oracle.is_repetition(3)
            assert not oracle.is_fifty_moves()
            (mover,) = game.movers(state)
            assert mover == (0 if oracle.turn else 1)
            texts = [game.format(state, mover, move) for move in game.moves(state, mover)]
            assert sorted(texts) == sorted(move.uci() for move in oracle.legal_moves)
            text = texts[below(rng, len(texts))]
            moved(game, state, text)
            oracle.push_uci(text)
            assert game.save(state) == oracle.fen()
        if oracle.is_checkmate():
            endings.add("mate")
            assert game.scores(state) == ([-1.0, 1.0] if oracle.turn else [1.0, -1.0])
        else:
            assert game.scores(state) == [0.0, 0.0]
            assert oracle.is_game_over() or oracle.is_repetition(3) or oracle.is_fifty_moves()
            endings.add("draw")
    assert endings == {"mate", "draw"}


@pytest.mark.parametrize(
    "fen",
    [
        KIWIPETE,
        PROMOTIONS,
        EN_PASSANT,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # castling, which python-chess also writes as e1h1
        "r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1",  # castling through check
        "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1",  # a pinned piece
        "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1",  # in check
        "4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1",  # in check twice
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",  # en passant would uncover the king
    ],
)
def test_single_move_is_legal_if_the_list_has_it(game: Game, fen: str) -> None:
    state = game.load(fen)
    every = range(7 << 12)
    found = [move for move in every if is_legal(state, move)]
    assert state.moves is None
    assert found == sorted(game.moves(state, 0))
    assert found == [move for move in every if is_legal(state, move)]


def test_samples_are_as_likely_as_each_other(game: Game) -> None:
    state = game.load("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1")  # in check; most pseudo-legal moves are not legal
    rng = new_rng(0)
    seen = [game.format(state, 0, int(rules.sample(state, 0, rng))) for _ in range(300)]
    assert set(seen) == {"e1d2", "e1f1"}
    assert 110 < seen.count("e1f1") < 190


def test_sample_does_not_depend_on_what_was_asked_before(game: Game) -> None:
    fresh, asked = game.load(KIWIPETE), game.load(KIWIPETE)
    game.moves(asked, 0)
    one, two = new_rng(1), new_rng(1)
    assert [rules.sample(fresh, 0, one) for _ in range(20)] == [rules.sample(asked, 0, two) for _ in range(20)]


def test_third_repetition_is_a_draw_at_once(game: Game) -> None:
    state = game.start(new_rng(0))
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert not rules.over(moved(game, state, *there_and_back, *there_and_back[:3]))
    assert rules.over(moved(game, state, there_and_back[3]))
    assert game.scores(state) == [0.0, 0.0]


def test_position_without_its_castling_right_is_another(game: Game) -> None:
    state = game.load("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    around = ["e1e2", "e8e7", "e2e1", "e7e8"]
    assert not rules.over(moved(game, state, *around, *around))  # twice without the right, once with it
    assert rules.over(moved(game, state, *around))


def test_pawn_move_forgets_repetitions(game: Game) -> None:
    state = game.start(new_rng(0))
    moved(game, state, *["g1f3", "g8f6", "f3g1", "f6g8"], "e2e4", "e7e5")
    assert not rules.over(moved(game, state, *["g1f3", "g8f6", "f3g1", "f6g8"]))


@pytest.mark.parametrize(
    ("fen", "move", "scores"),
    [
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", [-1.0, 1.0]),  # mate
        ("7k/5Q2/8/8/8/8/8/K7 w - - 10 60", "f7g6", [0.0, 0.0]),  # stalemate
        ("k7/8/8/8/8/8/1p6/K7 w - - 10 60", "a1b2", [0.0, 0.0]),  # bare kings
        ("k7/8/8/8/8/8/8/KQ6 w - - 99 90", "b1b5", [0.0, 0.0]),  # fifty moves
        ("k7/8/1K6/8/8/8/8/7R w - - 99 90", "h1h8", [1.0, -1.0]),  # mate comes before fifty moves
    ],
)
def test_move_ends_the_game(game: Game, fen: str, move: str, scores: list[float]) -> None:
    state = game.load(fen)
    assert not rules.over(state)
    moved(game, state, move)
    assert rules.over(state)
    assert game.scores(state) == scores


def test_moves_are_read_in_both_notations(game: Game) -> None:
    state = game.load("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    same = [("O-O", "e1g1"), ("e1c1", "e1c1"), ("e1h1", "e1g1"), ("bxa8=N", "b7a8n"), ("B7B8Q", "b7b8q")]
    for text, uci in [*same, ("Rh7", "h1h7"), (" e1g1 ", "e1g1")]:
        assert game.format(state, 0, game.parse(state, 0, text)) == uci
    for text in ("Ke4", "", "--", "0000", "b7b8", "e1e3", "Q@e4", "a8a7"):
        with pytest.raises(LudusError, match="is not a legal move here: write a move like"):
            game.parse(state, 0, text)


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("nonsense", "is not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", "opposite check"),
        ("7k/8/8/8/8/PPPPPPPP/8/KQQ5 w - - 0 1", "more pieces than promotions allow"),
    ],
)
def test_bad_position_is_one_sentence(game: Game, fen: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game.load(fen)


def test_key_tells_what_the_rules_tell_apart(game: Game) -> None:
    base = game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2")
    keys = {
        rules.key(base),
        rules.key(game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 2")),
        rules.key(game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 2")),
        rules.key(game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq d6 0 2")),
        rules.key(game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 99 90")),
    }
    assert len(keys) == 5
    assert rules.key(game.load("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 9")) == rules.key(base)
    seen_twice = moved(game, game.start(new_rng(0)), "g1f3", "g8f6", "f3g1", "f6g8")
    assert rules.key(seen_twice) != rules.key(game.start(new_rng(0)))


def test_key_tells_every_square_apart(game: Game) -> None:
    keys = set()
    for square in range(64):
        board = chess.Board("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece.from_symbol("N"))
            keys.add(rules.key(game.load(board.fen())))
    assert len(keys) == 62


def test_transposition_has_the_same_key(game: Game) -> None:
    one = moved(game, game.start(new_rng(0)), "g1f3", "d7d6", "b1c3")
    two = moved(game, game.start(new_rng(0)), "b1c3", "d7d6", "g1f3")
    assert rules.key(one) == rules.key(two)


def test_evaluation_sees_material_from_both_sides(game: Game) -> None:
    even = game.start(new_rng(0))
    assert rules.heuristic(even, 0) == rules.heuristic(even, 1) == 0.0
    up_a_rook = game.load("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1")
    up_a_queen = game.load("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert 0.3 < rules.heuristic(up_a_rook, 0) < rules.heuristic(up_a_queen, 0) < 1.0
    assert rules.heuristic(up_a_queen, 1) == -rules.heuristic(up_a_queen, 0)


def test_evaluation_is_the_same_for_the_mirrored_position(game: Game) -> None:
    for fen in (KIWIPETE, PROMOTIONS, EN_PASSANT):
        mirrored = chess.Board(fen).mirror().fen()
        assert rules.heuristic(game.load(fen), 0) == pytest.approx(rules.heuristic(game.load(mirrored), 1))


def test_weights_are_for_one_copy_only(game: Game) -> None:
    state = game.load("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    before = rules.heuristic(state, 0)
    weighed = game.weigh(state, {"queen": 2.0, "squares": 0.0})
    assert rules.heuristic(weighed, 0) == pytest.approx(2.0 / 6.0)
    assert rules.heuristic(duplicate(weighed), 0) == rules.heuristic(weighed, 0)
    assert rules.heuristic(state, 0) == before


def test_captures_of_the_best_by_the_least_come_first(game: Game) -> None:
    state = game.load("k7/8/8/2q1r3/3P4/8/8/K1R5 w - - 0 1")
    moves = np.array(game.moves(state, 0))
    assert rules.order(state, 0, moves, len(moves)) == len(moves)
    assert [game.format(state, 0, int(move)) for move in moves[:3]] == ["d4c5", "c1c5", "d4e5"]


def test_stack_holds_states_of_their_own(game: Game) -> None:
    state = game.start(new_rng(0))
    stack = stack_of(state, 2)
    moved(game, stack[0], "e2e4")
    assert game.save(stack[1]) == game.save(state) == chess.STARTING_FEN


def test_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(LudusError, match=r"chess needs the package python-chess: pip install 'ludus\[chess\]'"):
        Chess()
