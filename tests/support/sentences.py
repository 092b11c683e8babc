"""Sentences that users read, compared by what they name and not by their wording."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludus import LudusError


def missing(text: str, words: str) -> list[str]:
    """The words, separated by spaces, that a text does not hold."""
    return [word for word in words.split() if word not in text]


@contextmanager
def one_sentence(words: str) -> Iterator[None]:
    """Expect an error that is one sentence, with all of these words in it."""
    with pytest.raises(LudusError) as caught:
        yield
    text = str(caught.value)
    assert missing(text, words) == [], text
    assert text.endswith("."), text
    assert "\n" not in text
