"""An agent as an engine of the Universal Chess Interface."""

import re

import pytest

import ludus
from ludus import Clock, LudusError
from ludus.agents.agent import agent_from
from ludus.bots.serve.uci_service import UciService
from support.served_agents import Broken, ForOne, Witness
from support.talking import check

pytest.importorskip("chess")

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
BARE_KINGS = "8/8/4k3/8/8/3K4/8/8 w - - 0 1"
HUNDRED_QUIET = "8/8/4k3/8/8/3K4/7R/8 w - - 100 90"
SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


def engine(agent: Witness | None = None) -> UciService:
    service = UciService(agent or Witness())
    service.begin()
    return service


def best(answer: list[str]) -> str:
    assert answer[-1].startswith("bestmove ")
    return answer[-1].split()[1]


def test_an_engine_tells_its_name_and_answers() -> None:
    check(
        engine(),
        f"""
        > uci
        < id name Ludus {ludus.__version__} witness
        < id author Ludus
        < uciok
        > setoption name Hash value 16
        > isready
        < readyok
        > ucinewgame
        > joho isready
        < readyok
        > what is this
        > position startpos moves e2e4
        > go movetime 100
        < …
        < bestmove g8h6
        > stop
        > quit
        """,
    )


def test_position_and_moves_are_followed() -> None:
    agent = Witness()
    service = engine(agent)
    for line in ("position startpos moves e2e4", "go", "position startpos moves e2e4 g8h6 d2d4", "go"):
        service.answer(line)
    assert agent.seat == 1
    assert agent.positions[1].startswith("rnbqkb1r/pppppppp/7n/8/3PP3/8/PPP2PPP/RNBQKBNR b ")
    assert (agent.begun, len(agent.views[1].since)) == (1, 2)


@pytest.mark.parametrize(
    "second",
    [
        "position startpos moves d2d4",
        "position startpos moves e2e4 e7e5",  # the other side is asked
        "position startpos",
        "position fen 8/8/4k3/8/8/3K4/7R/8 w - - 0 1",
    ],
)
def test_another_game_begins_anew(second: str) -> None:
    agent = Witness()
    service = engine(agent)
    for line in ("position startpos moves e2e4", "go", second, "go"):
        answer = service.answer(line)
    assert best(answer) != "0000"
    assert (agent.begun, len(agent.views), agent.views[0].since) == (2, 1, [])


def test_the_same_position_is_asked_twice() -> None:
    agent = Witness()
    service = engine(agent)
    answers = [service.answer(line) for line in ("position startpos", "go", "position startpos", "go", "go")]
    assert best(answers[1]) == best(answers[3]) == best(answers[4])
    assert agent.begun == 1


def test_without_a_position_the_game_begins_at_its_start() -> None:
    service = engine()
    assert best(service.answer("go")) == "g1h3"
    for line in ("position startpos moves e2e4", "ucinewgame"):
        service.answer(line)
    assert best(service.answer("go")) == "g1h3"


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("position startpos moves e2e5", "'e2e5' is not a legal move here"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "cannot occur in a game"),
        ("position fen", "is not a FEN"),
    ],
)
def test_a_position_that_cannot_be_is_told_and_has_no_move(position: str, reason: str) -> None:
    service = engine()
    [line] = service.answer(position)
    assert line.startswith("info string ")
    assert reason in line
    assert service.answer("go") == ["bestmove 0000"]
    service.answer("position startpos")
    assert best(service.answer("go")) == "g1h3"


# --- Ends ---------------------------------------------------------------------------------------------------------


def test_a_mate_has_no_move() -> None:
    check(engine(), f"> position fen {MATED}\n> go\n< bestmove 0000")


@pytest.mark.parametrize(
    "position",
    [
        f"position startpos moves {SHUFFLE} {SHUFFLE}",
        f"position fen {HUNDRED_QUIET}",
        f"position fen {BARE_KINGS}",
    ],
)
def test_a_manager_that_goes_on_after_a_draw_gets_a_move(position: str) -> None:
    service = engine()
    assert service.answer(position) == []
    assert best(service.answer("go")) != "0000"


def test_the_third_repetition_is_answered_in_a_running_game() -> None:
    agent = Witness()
    service = engine(agent)
    moves = f"{SHUFFLE} {SHUFFLE}".split()
    for number in range(0, len(moves) + 1, 2):
        service.answer(f"position startpos moves {' '.join(moves[:number])}")
        assert best(service.answer("go")) != "0000"
    assert agent.begun == 2


# --- Clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("", Clock()),
        ("depth 5 nodes 1000", Clock()),
        ("movetime 1000", Clock(990 * 10**6)),
        ("wtime 60000 btime 100 winc 500 binc 1", Clock(None, 59_990 * 10**6, 500 * 10**6)),
        ("wtime -50 btime 100", Clock(None, 0)),
        ("searchmoves e2e4 movetime 1000", Clock(990 * 10**6)),
        ("movetime soon", Clock()),
        ("infinite", Clock(990 * 10**6)),
    ],
)
def test_limits_become_the_clock(words: str, clock: Clock) -> None:
    agent = Witness()
    service = engine(agent)
    service.answer("position startpos")
    service.answer(f"go {words}")
    assert agent.clocks == [clock]


def test_black_has_its_own_clock() -> None:
    agent = Witness()
    service = engine(agent)
    service.answer("position startpos moves e2e4")
    service.answer("go wtime 60000 btime 1000 winc 500 binc 20")
    assert agent.clocks == [Clock(None, 990 * 10**6, 20 * 10**6)]


@pytest.mark.parametrize("words", ["infinite", "ponder wtime 1000 btime 1000"])
def test_what_shall_last_until_stop_is_answered_at_stop(words: str) -> None:
    check(engine(), f"> position startpos\n> go {words}\n< …\n> isready\n< readyok\n> stop\n< bestmove g1h3\n> stop")


# --- What the metrics say -----------------------------------------------------------------------------------------


def test_a_search_tells_depth_score_nodes_and_line() -> None:
    service = UciService(agent_from("alphabeta:depth=2"))
    service.begin()
    service.answer("position fen 4k3/8/8/8/8/8/4q3/4K2R w - - 0 1")  # the queen hangs
    told, rest, move = service.answer("go")
    assert move == "bestmove e1e2"
    assert re.fullmatch(r"info depth 2 score cp \d+ nodes \d+ nps \d+ time \d+ pv e1e2 \w+", told)
    assert re.fullmatch(r"info string cutoffs \d+ table_hits \d+", rest)


@pytest.mark.parametrize(("fen", "score"), [("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 10_000)])
def test_a_sure_win_has_a_score_too(fen: str, score: int) -> None:
    service = UciService(agent_from("alphabeta:depth=2"))
    service.begin()
    service.answer(f"position fen {fen}")
    assert f" score cp {score} " in service.answer("go")[0]


# --- Agents -------------------------------------------------------------------------------------------------------


def test_an_agent_that_does_not_suit_ends_the_bot_in_the_words_of_the_protocol() -> None:
    service = UciService(ForOne())
    with pytest.raises(LudusError, match="for-one supports at most 1 players; these suit chess"):
        service.begin()
    assert service.refuse("It is over.") == ["info string It is over."]


def test_an_agent_that_fails_ends_the_bot() -> None:
    service = engine(Broken())
    service.answer("position startpos")
    service.answer("go")
    with pytest.raises(LudusError, match=r"^broken failed: ValueError: I have no idea \(served_.*, line \d+\)\.$"):
        service.answer("go")
