import pytest

from ludus.tournaments.game_names import MatchNames, file_name
from ludus.tournaments.plan import make_tournament


def test_games_of_a_meeting_are_counted_on_whoever_opens() -> None:
    meetings = MatchNames(make_tournament("tic-tac-toe", ["random", "mc"], episodes=2))
    matches = [(0, (0, 1)), (0, (2, 3)), (1, (0, 2)), (3, (1, 0))]
    added = [meetings.add(0, round, seats) for round, seats in matches]
    names = [meeting.game(number) for meeting in added for number in range(2)]
    assert names == ["1_1_1", "1_1_2", "1_2_1", "1_2_2", "2_1_1", "2_1_2", "1_1_3", "1_1_4"]


def test_repetitions_have_names_of_their_own() -> None:
    meetings = MatchNames(make_tournament("tic-tac-toe", ["random", "mc"], repetitions=2))
    assert [meetings.add(repetition, 0, (0, 1)).game(0) for repetition in range(2)] == ["1_1_1_1", "2_1_1_1"]


@pytest.mark.parametrize(
    ("name", "file"),
    [("AlphaBeta", "AlphaBeta"), ("Hex cup 2026", "Hex-cup-2026"), ("../a b", "a-b"), ("???", "tournament")],
)
def test_name_of_a_tournament_is_part_of_file_names(name: str, file: str) -> None:
    assert file_name(name) == file
