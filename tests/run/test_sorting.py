import numpy as np

from ludus.run.sorting import insertion_sort, measured_clock


def test_insertion_sort_sorts() -> None:
    numbers = np.array([3, 1, 2, 1, 0, -5], np.int64)
    insertion_sort(numbers)
    assert numbers.tolist() == [-5, 0, 1, 1, 2, 3]


def test_clock_is_measured_length_by_length() -> None:
    watched: list[None] = []
    found = measured_clock([40, 20], 3, lambda: watched.append(None))
    assert [(length, len(times)) for length, times in found.sorts.items()] == [(40, 3), (20, 3)]
    assert min(time for times in found.sorts.values() for time in times) > 0
    assert (len(watched), found.tick > 0) == (2, True)
