from pathlib import Path

import pytest

from ludus.core.errors import InvalidError
from ludus.episode.local_player import LocalPlayer
from ludus.episode.player import Briefing
from ludus.episode.record import Preparation
from ludus.games.game import game_from
from ludus.run.series import Series, about
from ludus.tournaments.field import pick_from
from ludus.tournaments.run_options import RunOptions


def series(game: str, *agents: str, **options: object) -> Series:
    return Series(game_from(game), [pick_from(agent) for agent in agents], {}, RunOptions(**options))  # type: ignore[arg-type]


def test_seats_rotate_and_a_rotation_shares_its_opening() -> None:
    played = series("nim:players=3", "random", "mc", "random", seed=5, opening_plies=2)
    assert played.names == ["random #1", "mc", "random #2"]
    assert [played.seating(number) for number in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    openings = [played.opening(number) for number in range(4)]
    assert openings[0] == openings[1] == openings[2] != openings[3]


def test_listed_openings_are_taken_in_turn_or_only_their_first_plies(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("a1\nb2\n")
    with pytest.raises(InvalidError, match="--position"):
        series("tic-tac-toe", "random", "mc", openings=str(file), position=".../.../...")
    played = series("tic-tac-toe", "random", "mc", openings=str(file))
    assert [played.opening(number).moves for number in (0, 1, 2, 4)] == [[["a1"]], [["a1"]], [["b2"]], [["a1"]]]
    file.write_text("a1 b2 c3\na1 b2 c2\nb2 a1 c3\n")
    played = series("tic-tac-toe", "random", "mc", openings=str(file), opening_plies=2)
    assert [played.opening(number).moves for number in (0, 2, 4)] == [
        [["a1"], ["b2"]],
        [["b2"], ["a1"]],
        [["a1"], ["b2"]],
    ]


@pytest.mark.parametrize(
    ("episodes", "end"),
    [(1, "seed 7."), (4, "each agent had each seat twice."), (3, "some agents had one seat more often.")],
)
def test_words_on_a_series_say_how_fair_the_seats_were(episodes: int, end: str) -> None:
    assert about(game_from("nim"), episodes, 7).endswith(end)


def test_name_of_an_episode_does_not_tell_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def begin(player: LocalPlayer, briefing: Briefing) -> Preparation:
        told.append(briefing.name)
        return original(player, briefing)

    original = LocalPlayer.begin
    monkeypatch.setattr(LocalPlayer, "begin", begin)
    one, other = (series("nim", "random", "random", seed=seed) for seed in (123456789, 987654321))
    for played in (one, one, other):
        played.play(0)
    assert not [name for name in told if "123456789" in name]
    first, again, another = told[0], told[2], told[4]
    assert first == again != another
