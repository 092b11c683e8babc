from ludus.web.pace import Pace, spoken_left


def seen(*moments: tuple[float, int]) -> Pace:
    """The pace of a tournament that had so many episodes at these moments."""
    pace = Pace()
    for now, episodes in moments:
        pace.see(episodes, now)
    return pace


def test_rate_is_that_of_the_last_minute() -> None:
    assert seen((0, 10), (10, 30)).rate == 2
    assert seen((0, 0), (100, 1), (120, 101), (140, 201)).rate == 5


def test_rate_of_one_moment_is_not_known() -> None:
    assert seen((0, 10)).rate == 0
    assert seen((0, 10), (10, 10)).rate == 0


def test_tournament_moves_as_long_as_episodes_come() -> None:
    pace = seen((0, 10), (10, 11))
    assert pace.is_moving(20)
    assert not pace.is_moving(100)
    assert not seen((0, 10)).is_moving(1)


def test_time_left_is_no_finer_than_it_is_known() -> None:
    assert [spoken_left(seconds) for seconds in (3, 59, 61, 600, 7_100, 7_200, 90_000)] == [
        "less than a minute",
        "less than a minute",
        "about 1 min",
        "about 10 min",
        "about 118 min",
        "about 2 h",
        "about 25 h",
    ]
