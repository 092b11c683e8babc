import numpy as np

from ludus.run.schedule import Schedule, Stored, Work
from ludus.tournaments.formats.format import Match

NOTHING: Stored = lambda matches, numbers: {}  # noqa: E731


def matches(count: int) -> list[Match]:
    return [Match(0, (2 * number, 2 * number + 1)) for number in range(count)]


def taken(schedule: Schedule, most: int) -> list[tuple[int, list[int]]]:
    found = []
    while work := schedule.take(lambda _: most):
        found.append((work.match, list(work.numbers)))
        schedule.done(work.seats)
    return found


def test_every_episode_is_dealt_once() -> None:
    dealt = taken(Schedule(matches(300), 7, 100, NOTHING), 30)
    assert len(dealt) < 300 * 6
    assert sorted((match, number) for match, numbers in dealt for number in numbers) == [
        (match, number) for match in range(7, 307) for number in range(100)
    ]


def test_matches_take_turns_so_that_pairs_with_swapped_seats_stay_together() -> None:
    dealt = taken(Schedule(matches(2), 0, 130, NOTHING), 256)
    assert [(match, numbers[0], numbers[-1]) for match, numbers in dealt] == [
        (0, 0, 63), (1, 0, 63), (0, 64, 127), (1, 64, 127), (0, 128, 129), (1, 128, 129),
    ]  # fmt: skip


def test_matches_of_slow_episodes_take_turns_so_that_a_part_of_them_is_even() -> None:
    dealt = taken(Schedule(matches(3), 0, 70, NOTHING), 2)
    assert [(match, numbers[0]) for match, numbers in dealt[:7]] == [
        (0, 0), (1, 0), (2, 0), (0, 2), (1, 2), (2, 2), (0, 4),
    ]  # fmt: skip
    assert [(match, numbers[0]) for match, numbers in dealt[-3:]] == [(0, 68), (1, 68), (2, 68)]


def test_matches_take_turns_with_an_agent_that_must_not_play_twice_at_once() -> None:
    schedule = Schedule([Match(0, (0, 1)), Match(0, (1, 0))], 0, 1000, NOTHING, {0: "one"})
    for number in range(200):
        for match in (0, 1):
            work = schedule.take(lambda _: 1)
            assert work is not None
            assert (work.match, work.numbers[0]) == (match, number)
            assert schedule.take(lambda _: 1) is None
            schedule.done(work.seats)


def test_what_is_stored_is_left_out() -> None:
    stored: Stored = lambda matches, numbers: {1: np.array([0, 2])} if 1 in matches else {}  # noqa: E731
    assert taken(Schedule(matches(2), 0, 4, stored), 10) == [(0, [0, 1, 2, 3]), (1, [1, 3])]


def test_exclusive_agent_waits_and_others_go_on() -> None:
    field = [Match(0, (0, 1)), Match(0, (0, 2)), Match(0, (1, 2))]
    schedule = Schedule(field, 0, 2, NOTHING, {0: "one"})
    first, second = schedule.take(lambda _: 1), schedule.take(lambda _: 1)
    assert first is not None
    assert second is not None
    assert (first.seats, second.seats) == ((0, 1), (1, 2))
    third = schedule.take(lambda _: 5)
    assert third == Work(2, (1, 2), range(1, 2))
    assert schedule.take(lambda _: 5) is None
    schedule.done(first.seats)
    assert schedule.take(lambda _: 5) == Work(1, (0, 2), range(2))


def test_what_is_to_be_played_again_comes_first() -> None:
    schedule = Schedule(matches(2), 0, 2, NOTHING)
    assert schedule.take(lambda _: 2) is not None
    schedule.again(Work(0, (0, 1), [1]))
    assert schedule.take(lambda _: 2) == Work(0, (0, 1), [1])


def test_equal_exclusive_agents_are_one() -> None:
    field = [Match(0, (0, 1)), Match(0, (2, 3))]
    schedule = Schedule(field, 0, 1, NOTHING, {0: "same", 2: "same"})
    assert schedule.take(lambda _: 1) is not None
    assert schedule.take(lambda _: 1) is None


def test_what_is_not_wanted_now_is_passed_over() -> None:
    schedule = Schedule(matches(2), 0, 1, NOTHING)
    assert schedule.take(lambda seats: 0 if 0 in seats else 1) == Work(1, (2, 3), range(1))
    assert schedule.take(lambda seats: 0) is None
    assert schedule.take(lambda seats: 1) == Work(0, (0, 1), range(1))
