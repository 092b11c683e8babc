"""Records by name: lines of a file, and stored episodes."""

from pathlib import Path

from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import read_text
from ludus.core.text import plural
from ludus.core.user_file import hold_back, trust_files
from ludus.episode.record import Record
from ludus.store.entries import names_episode


def find_record(which: str, number: int | None = None, store: str | None = None, *, trust: bool = False) -> Record:
    """The record of that number in a file, or of a stored episode such as `3/12.4`; a file of that name comes first.

    With `trust`, Python files that it names may be loaded.
    """
    if names_episode(which) and not Path(which).exists():
        if number is not None:
            raise InvalidError(f"{which} is one episode, but a number is for a file of several records: leave it out.")
        from ludus.store import open_store  # the database is slow to import

        with open_store(store) as opened:
            found = opened.record(*opened.find_episode(which))
        if trust:
            trust_files(_specs(found))
        return found
    try:
        text = read_text(which)
    except NotFoundError:
        tournament = "TOURNAMENT" if Path(which).suffix or len(Path(which).parts) > 1 else which
        raise NotFoundError(
            f"There is no file {which}. To name a stored episode, write {tournament}/MATCH.EPISODE (or "
            f"{tournament}/REPETITION.MATCH.EPISODE)."
        ) from None
    return record_in(text, which, number, trust=trust)


def source_of(which: str, store: str | None = None) -> str:
    """The name of the tournament of a stored episode, as `find_record` finds it; empty for a file."""
    if not names_episode(which) or Path(which).exists():
        return ""
    from ludus.store import open_store  # the database is slow to import

    with open_store(store) as opened:
        return opened.tournament(opened.find_episode(which)[0]).name


def record_in(text: str, file: str, number: int | None = None, *, trust: bool = False) -> Record:
    """The record of that number in the text of a file, which has one line of JSON for each."""
    lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InvalidError(f"{file} is empty: 'ludus play … --json > {file}' fills it.")
    number = 1 if number is None else number
    if not 1 <= number <= len(lines):
        raise NotFoundError(f"{file} has {plural(len(lines), 'record')}, and none with number {number}.")
    i, line = lines[number - 1]
    record = Record.from_json(line, f"Line {i} of {file}")
    if trust:
        trust_files(_specs(record))
    else:
        hold_back(_specs(record), "the record", "say --trust, or trust=True in Python,")
    return record


def _specs(record: Record) -> list[str]:
    return [record.game, *(seat.agent for seat in record.seats)]
