"""The talk with chess engines, as scripts."""

import sys
from typing import Any

import pytest

from ludus.agents.agent import agent_from
from ludus.bots.dialogue import FoulError
from ludus.bots.protocols.uci import KEPT_PLIES, Uci, UciDialogue
from ludus.episode.limits import Limits
from ludus.episode.record import Fault
from ludus.games.game import game_from
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import over
from support.dialogue_scripts import Table, answer, prepare
from support.sentences import missing

chess = pytest.importorskip("chess")

OFFERED = """
< Engine 1.0 by somebody
< id name Engine 1.0
< id author somebody
< option name Hash type spin default 16 min 1 max 1024
< option name Clear Hash type button
< option   name\tPonder  type   check default false
< option name Style type combo default Normal var Solid var Normal var Very Risky
< option name Book File type string default <empty>
< option name Strange type thing
< registration checking
< registration ok
< copyprotection checking
< copyprotection ok
< uciok
"""
SECOND = 10**9
MATE_IN_ONE = "7k/8/6K1/8/8/8/8/1R6 w - - 0 1"


def engine(options: str = "") -> Uci:
    bot = agent_from(f"uci{options and ','}{options}:{sys.executable}")
    assert isinstance(bot, Uci)
    return bot


def table(seat: int = 0, limits: Limits | None = None, position: str | None = None) -> Table:
    return Table(game_from("chess"), seat, limits or Limits(), position)


def ready(here: Table, options: str = "") -> UciDialogue:
    """A dialogue that was got ready for a table."""
    dialogue = engine(options).dialogue()
    prepare(dialogue, here.briefing, "> uci\n< uciok\n> ucinewgame\n> isready\n< readyok")
    return dialogue


def test_engine_is_got_ready_with_its_options() -> None:
    options = "hash=64,Clear Hash,ponder=yes,STYLE=very risky,Book File=a b.bin,Strange=x y,nodes=5"
    prepare(
        engine(options).dialogue(),
        table().briefing,
        f"""> uci{OFFERED}> setoption name Clear Hash
> setoption name Hash value 64
> setoption name Ponder value true
> setoption name Style value Very Risky
> setoption name Book File value a b.bin
> setoption name Strange value x y
> ucinewgame
> isready
< info string warming up
< readyok""",
    )


def test_empty_text_of_an_option_has_a_word_of_its_own() -> None:
    script = f"> uci{OFFERED}> setoption name Book File value <empty>\n> ucinewgame\n> isready\n< readyok"
    prepare(engine("Book File=").dialogue(), table().briefing, script)


def test_next_episode_is_a_new_game_in_the_same_process() -> None:
    here = table()
    dialogue = ready(here, "nodes=1")
    here.play("e2e4", "e7e5")
    dialogue.ask(here.question())
    other = table(1)
    prepare(dialogue, other.briefing, "> ucinewgame\n> isready\n< readyok")
    other.play("d2d4")
    answer(dialogue, other.question(), "> position startpos moves d2d4\n> go nodes 1\n< bestmove d7d5")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("Hsah=64", "'Hsah' 'Hash'"),
        ("node=64", "'node' 'nodes'"),
        ("Xyzzy=1", "'Xyzzy' Hash, Clear Ponder, Style, Book Strange"),
        ("Hash=much", "Hash 'much' 1024"),
        ("Hash=4096", "Hash '4096' 1024"),
        ("Hash", "Hash '' 1024"),
        ("Ponder=maybe", "Ponder 'maybe' true false"),
        ("Style=Wild", "Style 'Wild' Solid, Normal, Risky"),
        ("Clear Hash=1", "Clear Hash '1' button"),
    ],
)
def test_option_that_the_engine_does_not_take_is_a_fault(options: str, words: str) -> None:
    with pytest.raises(FoulError) as caught:
        prepare(engine(options).dialogue(), table().briefing, f"> uci{OFFERED}")
    assert caught.value.fault is Fault.FAILED
    assert missing(caught.value.evidence, words) == []


def test_endless_blanks_in_an_option_cost_nothing() -> None:
    said = f"option name {' ' * 10**6} x"
    prepare(engine().dialogue(), table().briefing, f"> uci\n< {said}\n< uciok\n> ucinewgame\n> isready\n< readyok")


def test_refused_registration_is_remarked() -> None:
    dialogue = engine().dialogue()
    prepare(
        dialogue,
        table().briefing,
        "> uci\n< registration error\n< copyprotection error\n< uciok\n> ucinewgame\n> isready\n< readyok",
    )
    assert dialogue.remarks == ["sent registration error", "sent copyprotection error"]


def test_spec_keeps_the_options_of_the_engine() -> None:
    spec = "uci,nodes=100,movetime=250ms,Clear Hash,Hash=64,Book File=a b.bin:stockfish -x"
    bot = agent_from(spec)
    assert isinstance(bot, Uci)
    assert (bot.nodes, bot.depth, bot.movetime) == (100, None, 250_000_000)
    assert bot.options == {"Clear Hash": "", "Hash": "64", "Book File": "a b.bin"}
    assert bot.spec() == spec
    assert agent_from("uci,Hash=64:stockfish").spec() == "uci,Hash=64:stockfish"


@pytest.mark.parametrize(
    ("options", "limits", "left", "go"),
    [
        ("", Limits(), (), "go movetime 1000"),
        ("nodes=1", Limits(), (), "go nodes 1"),
        ("depth=7,nodes=900", Limits(), (), "go nodes 900 depth 7"),
        ("movetime=2.5s", Limits(), (), "go movetime 2500"),
        ("", Limits(move=SECOND), (), "go movetime 990"),
        ("", Limits(move=SECOND // 20), (), "go movetime 45"),
        ("", Limits(move=1), (), "go movetime 1"),
        ("movetime=2s", Limits(move=SECOND), (), "go movetime 990"),
        ("movetime=500ms", Limits(move=SECOND), (), "go movetime 500"),
        ("nodes=10", Limits(move=SECOND), (), "go nodes 10 movetime 990"),
        ("", Limits(total=60 * SECOND), (59 * SECOND, SECOND // 2), "go wtime 59000 btime 500"),
        ("", Limits(total=60 * SECOND), (60 * SECOND, 0), "go wtime 60000 btime 1"),
        (
            "",
            Limits(total=60 * SECOND, increment=SECOND // 10, move=5 * SECOND),
            (60 * SECOND, 60 * SECOND),
            "go wtime 60000 btime 60000 winc 100 binc 100 movetime 4990",
        ),
        ("depth=3", Limits(total=60 * SECOND), (SECOND, SECOND), "go wtime 1000 btime 1000 depth 3"),
        (
            "",
            Limits(total=60 * SECOND, move=5 * SECOND),
            (SECOND, 60 * SECOND),
            "go wtime 1000 btime 60000 movetime 990",
        ),
        ("movetime=2s", Limits(total=60 * SECOND), (SECOND, SECOND), "go wtime 1000 btime 1000 movetime 990"),
    ],
)
def test_engine_is_told_its_limits(options: str, limits: Limits, left: tuple[int, ...], go: str) -> None:
    here = table(0, limits)
    dialogue = ready(here, options)
    answer(dialogue, here.question(*left), f"> position startpos\n> {go}\n< bestmove e2e4")


def test_clocks_are_told_anew_for_every_move() -> None:
    here = table(0, Limits(total=60 * SECOND))
    dialogue = ready(here)
    dialogue.ask(here.question(60 * SECOND, 60 * SECOND))
    here.play("e2e4", "e7e5")
    answer(
        dialogue,
        here.question(50 * SECOND, 55 * SECOND),
        "> position startpos moves e2e4 e7e5\n> go wtime 50000 btime 55000\n< bestmove g1f3",
    )


def test_moves_are_appended() -> None:
    here = table(1)
    dialogue = ready(here, "nodes=1")
    here.play("e2e4")
    answer(dialogue, here.question(), "> position startpos moves e2e4\n> go nodes 1\n< bestmove e7e5")
    here.play("c7c5", "g1f3")  # not what it said: its move was replaced
    answer(dialogue, here.question(), "> position startpos moves e2e4 c7c5 g1f3\n> go nodes 1\n< bestmove d7d6")


def test_start_position_is_told() -> None:
    here = table(0, position=MATE_IN_ONE)
    dialogue = ready(here, "nodes=1")
    answer(dialogue, here.question(), f"> position fen {MATE_IN_ONE}\n> go nodes 1\n< bestmove b1b8")


def test_engine_gets_all_moves_since_the_start() -> None:
    here = table(0)
    dialogue = ready(here, "nodes=1")
    rng = new_rng(3)
    oracle = chess.Board()
    while len(oracle.move_stack) < 80 and not over(here.state):
        if here.game.movers(here.state) == [0]:
            position, _ = dialogue.ask(here.question()).decode().splitlines()
            played = " ".join(move.uci() for move in oracle.move_stack)
            assert position == f"position startpos{played and ' moves '}{played}"
        move = there_or_back(oracle, rng)
        here.play(move)
        oracle.push_uci(move)
    assert len(oracle.move_stack) > 30


def test_base_of_a_short_history_moves_on_and_means_the_same() -> None:
    """Whatever is told, the engine has the position, what came twice, and the last moves."""
    longest = 0
    bases, repeated = set(), set()
    for seed in range(6):
        rng = new_rng(seed)
        here = table(seed % 2)
        dialogue = ready(here, "nodes=1,history=short")
        oracle = chess.Board()
        while len(oracle.move_stack) < 120 and not over(here.state):
            if here.game.movers(here.state) == [seed % 2]:
                position, go = dialogue.ask(here.question()).decode().splitlines()
                assert go == "go nodes 1"
                base, _, moves = position.removeprefix("position ").partition(" moves ")
                told = chess.Board() if base == "startpos" else chess.Board(base.removeprefix("fen "))
                for text in moves.split():
                    told.push_uci(text)
                assert told.fen() == oracle.fen()
                assert told.is_repetition(2) == oracle.is_repetition(2)
                assert len(told.move_stack) >= min(KEPT_PLIES, len(oracle.move_stack))
                longest = max(longest, len(told.move_stack))
                bases.add(base)
                repeated.add(told.is_repetition(2))
            move = there_or_back(oracle, rng)
            here.play(move)
            oracle.push_uci(move)
    assert len(bases) > 10
    assert repeated == {False, True}
    assert longest < 90


def there_or_back(board: Any, rng: Rng) -> str:
    """A random move, and now and then the last one of the same side taken back."""
    moves = [move.uci() for move in board.legal_moves]
    if len(board.move_stack) > 1 and below(rng, 10) < 3:
        last = board.move_stack[-2].uci()
        if (back := last[2:] + last[:2]) in moves:
            return back
    return moves[below(rng, len(moves))]


def test_last_line_of_info_becomes_metrics() -> None:
    here = table()
    dialogue = ready(here, "nodes=1")
    choice = answer(
        dialogue,
        here.question(),
        """
        > position startpos
        > go nodes 1
        < info string depth 99 is not reached
        < info depth 1 seldepth 1 multipv 1 score cp 5 nodes 20 nps 20000 time 1 pv a2a3
        < info depth 12 seldepth 18 multipv 1 score cp -34 upperbound nodes 5120 nps 512000 hashfull 7 tbhits 0 time 10 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4
        < info depth 12 seldepth 17 multipv 2 score cp -50 nodes 5130 nps 512000 hashfull 7 tbhits 0 time 10 pv d2d4
        < info depth 12 seldepth 18 time 11 nodes 5200 nps 0
        < info depth 13
        < info depth 13 currmove e2e4 currmovenumber 1
        < info nodes 6000 nps 500000
        < info string that was all
        < bestmove e2e4 ponder e7e5
        """,  # noqa: E501
    )
    assert here.game.format(here.state, 0, choice.move) == "e2e4"
    assert choice.metrics == {
        "depth": 12,
        "seldepth": 18,
        "score": -34,
        "nodes": 5120,
        "nps": 512000,
        "hashfull": 7,
        "tbhits": 0,
        "time": 10,
        "pv": "e2e4 e7e5 g1f3 b8c6 f1b5",
    }


def test_metrics_are_those_of_the_move() -> None:
    here = table()
    dialogue = ready(here, "nodes=1")
    dialogue.ask(here.question())
    dialogue.receive("info depth 3 score cp 5")
    dialogue.receive("bestmove e2e4")
    here.play("e2e4", "e7e5")
    dialogue.ask(here.question())
    choice = dialogue.receive("bestmove g1f3")
    assert choice is not None
    assert choice.metrics == {}


@pytest.mark.parametrize(
    ("info", "metrics"),
    [
        ("info depth 3 score mate -2 pv b1b8", {"depth": 3, "mate": -2, "pv": "b1b8"}),
        ("info depth three score cp much nodes 7", {"nodes": 7}),
        ("info depth 5 score", {"depth": 5}),
        ("info depth 5 nodes 99", {"depth": 5, "nodes": 99}),
        ("info depth 6 currmove b1b8 currmovenumber 1", {}),
        (f"info depth 5 nodes {'9' * 30}", {"depth": 5}),
    ],
)
def test_info_is_read_as_far_as_it_can_be(info: str, metrics: dict[str, object]) -> None:
    here = table(0, position=MATE_IN_ONE)
    dialogue = ready(here)
    dialogue.ask(here.question())
    assert dialogue.receive(info) is None
    choice = dialogue.receive("bestmove b1b8")
    assert choice is not None
    assert choice.metrics == metrics


@pytest.mark.parametrize("line", ["", "  ", "readyok", "Unknown command: x", "id name late", "info", "bestmoves e2e4"])
def test_other_lines_are_no_answer(line: str) -> None:
    here = table()
    dialogue = ready(here)
    dialogue.ask(here.question())
    assert dialogue.receive(line) is None
    assert dialogue.remarks == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bestmove 0000", "'bestmove 0000'"),
        ("bestmove (none)", "'bestmove (none)'"),
        ("bestmove", "'bestmove'"),
        ("bestmove e2e5 ponder e7e5", "'e2e5' legal"),
        (f"bestmove {'x' * 10**6}", f"'{'x' * 100}' legal"),
        ("bestmove nonsense", "'nonsense' legal"),
    ],
)
def test_answer_that_is_no_legal_move_is_a_fault(line: str, words: str) -> None:
    here = table()
    dialogue = ready(here)
    dialogue.ask(here.question())
    with pytest.raises(FoulError) as caught:
        dialogue.receive(line)
    assert caught.value.fault is Fault.ILLEGAL
    assert missing(caught.value.evidence, words) == []
    assert len(caught.value.evidence) < 300


def test_engine_is_told_to_quit() -> None:
    assert engine().dialogue().end() == b"quit\n"


def test_engine_suits_chess_alone() -> None:
    assert engine().unsuited(game_from("connect-four")) == "plays chess only"
    assert engine().unsuited(game_from("chess")) is None
