"""An agent as a brain of the Gomocup."""

import itertools

import numpy as np
import pytest

import ludus
from ludus import Agent, Clock, LudusError
from ludus.agents.agent import agent_from
from ludus.bots.serve.gomocup_service import GomocupService
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import over, play
from support.served_agents import Broken, ForOne, Witness
from support.talking import check


def brain(agent: Agent | None = None) -> GomocupService:
    service = GomocupService(agent or Witness())
    service.begin()
    return service


def rows(*changes: tuple[int, int, str], size: int = 5) -> str:
    board = [["."] * size for _ in range(size)]
    for x, y, stone in changes:
        board[y][x] = stone
    return "/".join("".join(row) for row in board)


def test_a_brain_opens_and_answers() -> None:
    check(
        brain(),
        """
        > START 15
        < OK
        > INFO timeout_turn 1000
        > BEGIN
        < MESSAGE turn 1
        < 0,0
        > TURN 1,0
        < MESSAGE turn 2
        < 2,0
        > turn 3,0
        < MESSAGE turn 3
        < 4,0
        > END
        """,
    )


def test_x_is_the_column() -> None:
    agent = Witness()
    service = brain(agent)
    service.answer("START 5")
    assert service.answer("TURN 3,1")[-1] == "0,0"
    assert (agent.seat, agent.positions) == (1, [rows((3, 1, "x"))])
    service.answer("TURN 4,2")
    assert agent.positions[1] == rows((3, 1, "x"), (0, 0, "o"), (4, 2, "x"))
    assert len(agent.views[1].since) == 2


@pytest.mark.parametrize(
    ("stones", "seat", "position"),
    [
        ([], 0, rows()),
        (["1,1,2"], 1, rows((1, 1, "x"))),
        (["1,1,1", "2,1,2"], 0, rows((1, 1, "x"), (2, 1, "o"))),
        (["2,1,2", " 1,1,1 ", "", "4,4,2"], 1, rows((2, 1, "x"), (1, 1, "o"), (4, 4, "x"))),
    ],
)
def test_a_board_is_taken_with_the_seat_that_its_stones_show(stones: list[str], seat: int, position: str) -> None:
    agent = Witness()
    service = brain(agent)
    service.answer("START 5")
    for line in ("BOARD", *stones):
        assert service.answer(line) == []
    assert service.answer("DONE")[-1] == "0,0"
    assert (agent.seat, agent.positions) == (seat, [position])
    assert service.answer("TURN 3,3")[-1] == "1,0"
    assert len(agent.views[1].since) == 2


@pytest.mark.parametrize(
    ("stones", "reason"),
    [
        (["1,1,1"], "0 'x' and 1 'o': 'x' begins"),
        (["1,1,2", "1,2,2"], "2 'x' and 0 'o': 'x' begins"),
        (["1,1,2", "1,1,1"], "'1,1,1' is not a stone"),
        (["1,1,3"], "'1,1,3' is not a stone"),
        (["5,1,2"], "'5,1' is not a cell of a board of size 5"),
        (["nonsense"], "'' is not a cell"),
        ([f"{x},0,2" for x in range(5)] + [f"{x},1,1" for x in range(4)], "The game is over"),
    ],
)
def test_a_board_that_cannot_be_is_an_error_at_its_end(stones: list[str], reason: str) -> None:
    service = brain()
    service.answer("START 5")
    for line in ("BOARD", *stones):
        assert service.answer(line) == []
    [answer] = service.answer("DONE")
    assert answer.startswith("ERROR ")
    assert reason in answer
    assert service.answer("BEGIN")[-1] == "0,0"


def test_moves_are_taken_back() -> None:
    agent = Witness()
    service = brain(agent)
    for line in ("START 5", "TURN 3,3", "TURN 4,4"):
        service.answer(line)
    check(service, "> TAKEBACK 1,0\n< OK\n> TAKEBACK 4,4\n< OK\n> TAKEBACK 4,4\n< ERROR There is no stone on 4,4.")
    assert service.answer("TURN 2,2")[-1] == "1,0"
    assert agent.positions == [rows((3, 3, "x"), (0, 0, "o"), (2, 2, "x"))]


def test_a_new_game_begins_with_an_empty_board() -> None:
    agent = Witness()
    service = brain(agent)
    for line in ("START 5", "BEGIN", "TURN 3,3"):
        service.answer(line)
    check(service, "> RESTART\n< OK\n> TURN 3,3\n< …\n< 0,0\n> START 6\n< OK\n> BEGIN\n< …\n< 0,0")
    assert agent.positions == [rows(size=6)]
    assert agent.begun == 3


def test_boards_that_are_not_square_or_too_small_or_large_are_refused() -> None:
    service = brain()
    check(
        service,
        """
        > RECTSTART 15,20
        < ERROR Only square boards are played here.
        > START 4
        < ERROR gomoku: length=5 does not fit on a board of size=4.
        > START 100
        < ERROR gomoku: size=100 is not a whole number from 3 to 60.
        > START many
        < ERROR 'many' is not the size of a board.
        > BEGIN
        < ERROR There is no board yet: send START first.
        > RESTART
        < ERROR There is no board yet: send START first.
        > RECTSTART 10, 10
        < OK
        > TURN 9,9
        < …
        < 0,0
        """,
    )


def test_illegal_requests_are_errors_and_change_nothing() -> None:
    agent = Witness()
    service = brain(agent)
    check(
        service,
        """
        > START 5
        < OK
        > TURN 1,1
        < …
        < 0,0
        > TURN 1,1
        < ERROR 1,1 already has a stone.
        > TURN 0,0
        < ERROR 0,0 already has a stone.
        > TURN 5,0
        < ERROR '5,0' is not a cell of a board of size 5: cells are written x,y from 0.
        > TURN -1,0
        < ERROR '-1,0' is not a cell of a board of size 5: cells are written x,y from 0.
        > TURN 1 1
        < ERROR '1 1' is not a cell of a board of size 5: cells are written x,y from 0.
        > DONE
        < ERROR DONE without BOARD.
        > SWAP2BOARD
        < UNKNOWN SWAP2BOARD is not known here.
        > TURN 2,2
        < …
        < 1,0
        """,
    )
    assert agent.positions[1] == rows((1, 1, "x"), (0, 0, "o"), (2, 2, "x"))


def test_about_names_the_agent_and_the_version() -> None:
    [line] = brain(agent_from("alphabeta:depth=3")).answer("ABOUT")
    assert line == f'name="Ludus alphabeta:depth=3", version="{ludus.__version__}", author="Ludus"'


# --- Rules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "rule"), [(0, "freestyle"), (1, "standard"), (8, "caro"), (9, "exact-caro")])
def test_rules_are_played_by_their_numbers(number: int, rule: str) -> None:
    agent = Witness()
    service = brain(agent)
    service.answer("START 7")
    assert service.answer(f"INFO rule {number}") == []
    service.answer("BEGIN")
    assert agent.game.spec() == game_from(f"gomoku:size=7,rule={rule}").spec()


@pytest.mark.parametrize(
    ("number", "reason"),
    [(4, "Renju is"), (5, "Renju is"), (2, "Continuous games are"), (16, "Rule 16 is")],
)
def test_other_rules_are_refused_until_one_is_known(number: int, reason: str) -> None:
    service = brain()
    service.answer("START 7")
    for line in (f"INFO rule {number}", "BEGIN", "TURN 1,1"):
        assert service.answer(line) == [f"ERROR {reason} not played here."]
    assert service.answer("INFO rule 0") == []
    assert service.answer("BEGIN")[-1] == "0,0"


def test_a_row_of_six_is_no_end_where_exactly_five_win() -> None:
    theirs, own = [(x, 3) for x in (0, 1, 2, 4, 5)], [(x, 5) for x in (0, 2, 4, 6)]
    for rule, goes_on in (("0", False), ("1", True)):
        service = brain()
        for line in ("START 7", f"INFO rule {rule}", "BOARD"):
            service.answer(line)
        for x, y in theirs:
            service.answer(f"{x},{y},2")
        for x, y in own:
            service.answer(f"{x},{y},1")
        service.answer("DONE")
        assert service.answer("TURN 3,3")[-1].startswith("ERROR The game is over") is not goes_on


# --- Clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "clock"),
    [
        ([], Clock()),
        (["INFO timeout_turn 1000"], Clock(990 * 10**6)),
        (["INFO timeout_turn 0"], Clock(16 * 10**6)),
        (["INFO timeout_match 0"], Clock()),
        (["INFO timeout_match 60000"], Clock(None, 59_990 * 10**6)),
        (["INFO timeout_match 60000", "INFO time_left 50"], Clock(None, 40 * 10**6)),
        (["INFO timeout_match 60000", "INFO time_left 2147483647"], Clock()),
        (["INFO time_left -20"], Clock(None, 0)),
        (["INFO max_memory 1000", "INFO game_type 2", "INFO evaluate 1,1", "INFO folder /a b", "INFO"], Clock()),
    ],
)
def test_limits_become_the_clock(lines: list[str], clock: Clock) -> None:
    agent = Witness()
    service = brain(agent)
    service.answer("START 7")
    for line in lines:
        assert service.answer(line) == []
    service.answer("BEGIN")
    assert agent.clocks == [clock]


def test_a_manager_that_never_tells_the_time_left_need_not() -> None:
    agent = Witness()
    service = brain(agent)
    for line in ("START 7", "INFO timeout_match 60000", "BEGIN", "TURN 6,6", "RESTART", "BEGIN"):
        service.answer(line)
        if line == "TURN 6,6":
            first, second = (clock.total or 0 for clock in agent.clocks)
            assert second < first
    assert agent.clocks == [Clock(None, 59_990 * 10**6)]


# --- Agents -------------------------------------------------------------------------------------------------------


def test_agents_that_keep_what_they_know_play_to_the_end() -> None:
    game = game_from("gomoku:size=6,rule=caro")
    brains = [GomocupService(agent_from(spec)) for spec in ("mcts:simulations=30", "alphabeta:depth=2")]
    for service in brains:
        service.begin()
        for line in ("START 6", "INFO rule 8"):
            service.answer(line)
    state = game.start(new_rng(0))
    line = "BEGIN"
    for seat in itertools.cycle((0, 1)):
        move = brains[seat].answer(line)[-1]
        play(state, np.array([game.parse(state, seat, move.replace(",", "-"))]))
        if over(state):
            break
        line = f"TURN {move}"
    assert sorted(game.scores(state)) in ([-1.0, 1.0], [0.0, 0.0])


def test_an_agent_that_does_not_suit_ends_the_bot() -> None:
    with pytest.raises(LudusError, match="for-one supports at most 1 players; these suit gomoku"):
        brain(ForOne())


def test_an_agent_that_fails_ends_the_bot() -> None:
    service = brain(Broken())
    for line in ("START 7", "BEGIN"):
        service.answer(line)
    with pytest.raises(LudusError, match=r"^broken failed: ValueError: I have no idea \(served_.*, line \d+\)\.$"):
        service.answer("TURN 3,3")
