"""An agent as a bot of the comparison interface."""

import itertools
from pathlib import Path

import pytest

from ludus import Clock, LudusError
from ludus.agents.agent import agent_from
from ludus.bots.serve.stdio_service import StdioService
from ludus.episode.record import Ending
from ludus.episode.replay import replay
from ludus.games.game import game_from
from support.sentences import missing, one_sentence
from support.served_agents import Broken, ForOne, Witness
from support.takeaway import write_game
from support.talking import check, play_episode

GAMES = [
    "tic-tac-toe",
    "connect-four:rows=4,columns=5,length=3",
    "hex:size=3,swap=yes",
    "othello:size=4",
    "openspiel:dots_and_boxes",  # who closes a box moves again
    "nim:piles=2-3,players=3",
    "goofspiel:cards=3",
    "goofspiel:cards=3,players=3,prizes=descending",
    "2048",
]


@pytest.mark.parametrize("spec", GAMES)
def test_every_bot_sees_what_the_referee_sees(spec: str) -> None:
    pytest.importorskip("pyspiel" if spec.startswith("openspiel") else "ludus")
    game = game_from(spec)
    agents = [Witness() for _ in range(game.seats)]
    record = play_episode(game, [StdioService(agent).answer for agent in agents])
    assert record.ending is Ending.RULES
    before = [game.save(scene.state) for scene in replay(record, game)]
    for seat, agent in enumerate(agents):
        asked = [number for number, step in enumerate(record.steps) if seat in [move.seat for move in step]]
        assert (agent.seat, agent.begun, agent.seed) == (seat, 1, 7)
        assert agent.positions == [before[number] for number in asked]
        assert [len(view.since) for view in agent.views] == [b - a for a, b in itertools.pairwise([0, *asked])]


@pytest.mark.parametrize("spec", ["mcts:simulations=20", "maxn:depth=2"])
def test_agents_that_keep_what_they_know_play_to_the_end(spec: str) -> None:
    game = game_from("nim:piles=2-3,players=3")
    record = play_episode(game, [StdioService(agent_from(spec)).answer for _ in range(3)])
    assert record.ending is Ending.RULES


# --- Information --------------------------------------------------------------------------------------------------


def test_a_move_that_was_replaced_is_taken_back() -> None:
    agent = Witness()
    service = StdioService(agent, "tic-tac-toe")
    service.begin()
    *_, own = service.answer("START")
    replaced = next(cell for cell in ("a1", "b1") if cell != own)
    assert service.answer(f"INFO replaced {replaced}") == []
    list(service.answer("TURN c3"))
    assert agent.positions[-1] == "/".join(["x.." if replaced == "a1" else ".x.", "...", "..o"])


def test_a_wrong_message_about_a_replaced_move_changes_nothing() -> None:
    agent = Witness()
    service = StdioService(agent, "tic-tac-toe")
    service.begin()
    list(service.answer("START"))
    service.answer("INFO replaced z9")
    (said,) = service.answer("TURN c3")
    assert said.startswith("ERROR ")
    service.answer("INFO replaced b2")
    list(service.answer("TURN c3"))
    assert agent.positions[-1] == ".../.x./..o"


def test_all_moves_may_be_told_in_the_first_message() -> None:
    agent = Witness()
    service = StdioService(agent, "tic-tac-toe")
    service.begin()
    list(service.answer("TURN 0:b2"))
    assert agent.positions[-1] == ".../.x./..."


def test_metrics_that_are_numbers_come_before_the_move() -> None:
    check(
        StdioService(Witness()),
        """
        > INFO game connect-four
        < OK
        > INFO seat 0
        < OK
        > START
        < METRIC turn 1
        < 1
        > TURN 4
        < METRIC turn 2
        < 1
        """,
    )


FOREIGN = ["INFO timeout_turn 2000", "START", "TURN 4"]
"""Messages of a manager that follows the thesis and knows nothing else: it names no game."""


def test_foreign_manager_gets_one_line_for_each_message() -> None:
    service = StdioService(Witness(), "connect-four")
    service.begin()
    assert [list(service.answer(line)) for line in FOREIGN] == [["OK"], ["1"], ["1"]]


def test_metrics_can_be_asked_for() -> None:
    service = StdioService(Witness(), "connect-four", metrics=True)
    service.begin()
    assert [list(service.answer(line)) for line in FOREIGN] == [["OK"], ["METRIC turn 1", "1"], ["METRIC turn 2", "1"]]


def test_parameters_make_the_game() -> None:
    agent = Witness()
    check(
        StdioService(agent),
        """
        > INFO game nim
        < OK
        > INFO players 3
        < OK
        > INFO seat 1
        < OK
        > INFO piles 4-2
        < OK
        > INFO misere yes
        < OK
        > TURN 0:1-4
        < …
        < 2-1
        """,
    )
    assert agent.game.spec() == "nim:piles=4-2,players=3,misere=yes"


def test_agent_is_ready_before_the_first_move_and_for_the_right_game() -> None:
    agent = Witness()
    service = StdioService(agent)
    for line in ("INFO game hex", "INFO players 2", "INFO seat 0", "INFO size 4", "INFO swap no"):
        assert service.answer(line) == ["OK"]
        assert not hasattr(agent, "prepared")
    for line in ("INFO timeout_start 10000", "INFO timeout_turn 100", "INFO match_name a", "START"):
        service.answer(line)
        assert agent.prepared == ["hex:size=4"]


def test_agent_of_a_given_game_is_ready_at_once() -> None:
    agent = Witness()
    service = StdioService(agent, "hex:size=4")
    service.begin()
    assert agent.prepared == ["hex:size=4"]
    service.answer("START")
    assert agent.prepared == ["hex:size=4"]


def test_a_manager_that_never_tells_the_game_is_understood() -> None:
    service = StdioService(Witness(), "connect-four:columns=5")
    service.begin()
    check(
        service,
        """
        > INFO timeout_turn 300000
        < OK
        > INFO space_limit 1000
        < OK
        > INFO colour blue
        < OK
        > START
        < …
        < 1
        > TURN 5
        < …
        < 1
        > END
        """,
    )
    assert service.over


@pytest.mark.parametrize(("first", "seat"), [("START", 0), ("TURN 4", 1)])
def test_the_first_message_shows_the_seat_where_it_is_not_told(first: str, seat: int) -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    service.answer(first)
    assert agent.seat == seat


def test_limits_become_the_clock() -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    for line in ("INFO timeout_turn 1000", "INFO timeout_game 60000", "INFO increment 500", "START", "TURN 1"):
        service.answer(line)
    first, second = agent.clocks
    assert first == Clock(990 * 10**6, 59_990 * 10**6, 500 * 10**6)
    assert second.move == first.move
    assert second.total is not None
    assert second.total < 60_490 * 10**6  # what was spent is gone, and the increment has come


def test_a_short_limit_keeps_most_of_its_time() -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    service.answer("INFO timeout_turn 10")
    service.answer("START")
    assert agent.clocks == [Clock(8 * 10**6)]


def test_without_limits_there_is_no_clock() -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    service.answer("START")
    assert agent.clocks == [Clock()]


def test_seeds_differ_where_none_is_told() -> None:
    seeds = set()
    for _ in range(3):
        agent = Witness()
        service = StdioService(agent, "tic-tac-toe")
        service.begin()
        service.answer("START")
        seeds.add(agent.seed)
    assert len(seeds) == 3


def test_information_is_ignored_once_the_game_runs() -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    for line in ("START", "INFO timeout_turn 5", "INFO columns 3", "INFO game chess"):
        answer = service.answer(line)
    assert answer == []
    assert service.answer("TURN 7")[-1] == "1"
    assert agent.clocks == [Clock(), Clock()]


def test_a_game_from_a_file_is_given_by_hand(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    service = StdioService(Witness(), str(file))
    service.begin()
    check(service, f"> INFO game {game_from(str(file)).name}\n< OK\n> INFO size 5\n< OK\n> START\n< …\n< 1")


# --- Start positions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["INFO game connect-four", "INFO initial_board board.txt"])
def test_the_start_position_is_taken_from_its_file(first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [*[".......\r\n"] * 5, "x......\r\n"]
    Path("board.txt").write_text("".join(rows))
    agent = Witness()
    service = StdioService(agent)
    service.answer(first)
    service.answer("INFO game connect-four" if first.endswith("txt") else "INFO initial_board board.txt")
    assert service.answer("START")[-1] == "1"
    assert (agent.seat, agent.positions) == (1, ["/".join(row.strip() for row in rows)])
    service.answer("TURN 2")
    assert agent.positions[1].endswith("o....../xx.....")


def test_a_board_that_is_none_of_the_game_ends_the_bot(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("x..")
    service = StdioService(Witness(), "connect-four")
    service.begin()
    with one_sentence("board.txt connect-four 6 rows of 7"):
        service.answer(f"INFO initial_board {file}")


# --- What cannot be done ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("HELLO", "HELLO INFO, START, TURN END"),
        ("TURN", "turn 1 0"),
        ("TURN 9", "'9' legal 1, 2, 3"),
        ("TURN 2;2", "turn 0 1"),
    ],
)
def test_what_is_not_understood_is_an_error_and_changes_nothing(line: str, words: str) -> None:
    agent = Witness()
    service = StdioService(agent, "connect-four")
    service.begin()
    service.answer("START")
    (answer,) = service.answer(line)
    assert answer.startswith("ERROR ")
    assert missing(answer, words) == []
    assert service.answer("TURN 2")[-1] == "1"
    assert agent.positions[1].endswith("/xo.....")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("TURN 1-2", "'1-2' is not SEAT:MOVE or *:OUTCOME."),
        ("TURN 0:1-2", "It is the turn of seat 1, not of seat 2."),
        ("TURN 0:1-2 2:1-1", "It was the turn of seat 1, but seat 2 moved."),
        ("TURN *:1", "It was the turn of seat 0, but chance moved."),
        ("TURN 0:2-1 1:1-2 2:2-2", "The game ended before 2-2."),
        ("TURN 0:1-2 1:2-1", "The game is over: there are no more moves."),
    ],
)
def test_moves_out_of_turn_are_an_error_and_change_nothing(line: str, reason: str) -> None:
    agent = Witness()
    service = StdioService(agent, "nim:piles=2-1,players=3")
    service.begin()
    service.answer("INFO seat 2")
    assert service.answer(line) == [f"ERROR {reason}"]
    assert service.answer("TURN 0:1-1 1:1-1")[-1] == "2-1"


def test_a_limit_that_is_no_number_is_an_error() -> None:
    service = StdioService(Witness())
    for line, words in (("INFO timeout_turn soon", "timeout_turn 'soon'"), ("INFO seat", "seat ''")):
        (answer,) = service.answer(line)
        assert answer.startswith("ERROR ")
        assert missing(answer, words) == []


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["START"], "sent no INFO game: name the game with --game"),
        (["INFO game ludo"], "no game 'ludo' here: name its file"),
        (["INFO game connect-four", "INFO rows 99", "START"], "rows=99 is not a whole number from 2 to 12"),
        (["INFO game goofspiel", "TURN *:2"], "goofspiel needs INFO seat"),
        (["INFO game nim", "INFO seat 2", "START"], "nim has no seat 2: its seats are 0 to 1"),
    ],
)
def test_an_episode_that_cannot_be_played_ends_the_bot(lines: list[str], reason: str) -> None:
    service = StdioService(Witness())
    for line in lines[:-1]:
        assert service.answer(line) == ["OK"]
    with pytest.raises(LudusError, match=reason):
        service.answer(lines[-1])


def test_another_game_than_the_given_one_ends_the_bot() -> None:
    service = StdioService(Witness(), "hex")
    service.begin()
    with one_sentence("nim --game hex"):
        service.answer("INFO game nim")


def test_an_agent_that_does_not_suit_the_game_ends_the_bot() -> None:
    with one_sentence("for-one 1 hex"):
        StdioService(ForOne(), "hex").begin()
    service = StdioService(ForOne())
    service.answer("INFO game hex")
    with pytest.raises(LudusError, match="for-one supports at most 1 players"):
        service.answer("INFO timeout_start 10000")


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("raise", r"broken failed: ValueError: I have no idea \(served_agents\.py, line \d+\)\."),
        ("exit", r"broken:does=exit failed: SystemExit: enough \(served_agents\.py, line \d+\)\."),
        ("nothing", "broken:does=nothing failed: AttributeError: .*"),
        ("cheat", "broken:does=cheat chose the move 1000000, which is not legal."),
    ],
)
def test_an_agent_that_fails_ends_the_bot(does: str, reason: str) -> None:
    service = StdioService(Broken(does=does), "connect-four")
    service.begin()
    service.answer("START")
    with pytest.raises(LudusError, match=f"^{reason}$"):
        service.answer("TURN 1")
