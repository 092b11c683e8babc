from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from ludus.core.errors import NotFoundError
from ludus.web import kept
from ludus.web.kept import Kept


class Counted:
    """A value that tells which state it is of, and is only computed once it may be."""

    def __init__(self, state: int, may: Event) -> None:
        self.state = state
        self.is_computed = False
        self._may = may

    def compute(self) -> None:
        assert self._may.wait(60)
        self.is_computed = True


class Source:
    """A store with a state, and what was made of it."""

    def __init__(self, pool: ThreadPoolExecutor, most: int = 2) -> None:
        self.state = 1
        self.made: list[int] = []
        self.may = Event()
        self.may.set()
        self.kept = Kept(pool, self._make, most)

    def _make(self, number: int, before: Counted | None) -> Counted:
        if before is not None and before.state == self.state:
            return before
        if number < 0:
            raise NotFoundError("There is none.")
        self.made.append(number)
        return Counted(self.state, self.may)


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    monkeypatch.setattr(kept, "LEAST_REST", 0.0)
    with ThreadPoolExecutor(2) as pool:
        yield Source(pool)


def until_complete(source: Source, number: int = 1) -> Counted:
    """Ask until the value is that of the present state."""
    while True:
        found = source.kept.get(number)
        if found.is_computed and found.state == source.state:
            return found


def test_value_is_made_once_for_a_state(source: Source) -> None:
    assert until_complete(source) is until_complete(source)
    assert source.made == [1]


def test_first_visitor_gets_the_value_while_it_is_computed(source: Source) -> None:
    source.may.clear()
    found = source.kept.get(1)
    assert not found.is_computed
    assert source.kept.get(1) is found
    source.may.set()
    assert until_complete(source) is found


def test_old_value_is_served_while_the_new_one_is_computed(source: Source) -> None:
    old = until_complete(source)
    source.state, source.may = 2, Event()
    assert source.kept.get(1) is old
    source.may.set()
    assert until_complete(source).state == 2
    assert source.made == [1, 1]


def test_what_cannot_be_made_says_so_and_is_tried_again(source: Source) -> None:
    for _ in range(2):
        with pytest.raises(NotFoundError, match="There is none"):
            source.kept.get(-1)


def test_only_the_last_used_values_are_kept(source: Source) -> None:
    for number in (1, 2, 3, 1):
        until_complete(source, number)
    assert source.made == [1, 2, 3, 1]


def test_value_at_hand_makes_nobody_wait(source: Source) -> None:
    source.may.clear()
    while (found := source.kept.at_hand(1)) is None:
        pass
    assert not found.is_computed
    source.may.set()
