"""All episodes of the store, found by game, agents, result, ending, time and length; the address holds the filter."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from ludus.core.errors import InvalidError
from ludus.core.text import score, spoken_time
from ludus.episode.record import Ending
from ludus.stats.history import RESULTS, Found, HistoryPlace, Wanted, history
from ludus.web.rendering import page

router = APIRouter()
_ON_A_PAGE = 50
_MOST = 1000
_LONGEST_TEXT = 1000
_MOST_NUMBER = 2**31 - 1

_Text = Annotated[str, Query(max_length=_LONGEST_TEXT)]
_Number = Annotated[str, Query(max_length=10)]
_Day = Annotated[str, Query(max_length=40)]


class Part(NamedTuple):
    """A part of the history: its episodes, and the place after which the next part begins, if there is one."""

    episodes: list[Found]
    next: HistoryPlace | None


def wanted(
    tournament: _Number = "",
    game: _Text = "",
    agent: _Text = "",
    opponent: _Text = "",
    first: _Text = "",
    result: _Text = "",
    ending: _Text = "",
    since: _Day = "",
    until: _Day = "",
    shortest: _Number = "",
    longest: _Number = "",
) -> Wanted:
    """The wanted episodes in an address; empty values stand for fields that a visitor left empty."""
    found = Wanted(
        _number("tournament", tournament),
        game.strip(),
        agent.strip(),
        opponent.strip(),
        first.strip(),
        result,
        ending,
        _time("since", since),
        _time("until", until),
        _number("shortest", shortest),
        _number("longest", longest),
    )
    found.check()
    return found


def _number(name: str, text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isascii() or not text.strip().isdigit() or int(text) > _MOST_NUMBER:
        raise InvalidError(f"'{text}' is not a number: give '{name}' as a whole number.")
    return int(text)


def _time(name: str, text: str) -> datetime | None:
    if not text.strip():
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise InvalidError(f"'{text}' is not a day: write '{name}' as in 2026-11-19.") from None


def part(request: Request, wanted: Wanted, after: str, most: int) -> Part:
    """One part of the history."""
    place = HistoryPlace.from_text(after) if after else None
    found = history(request.app.state.site.store, wanted, place, most + 1)
    shown = found[:most]
    return Part(shown, HistoryPlace(shown[-1].tournament, shown[-1].key) if len(found) > most else None)


@router.get("/history", include_in_schema=False)
def show_history(
    request: Request, wanted: Annotated[Wanted, Depends(wanted)], after: Annotated[str, Query(max_length=60)] = ""
) -> Response:
    """Show the wanted episodes, the newest first."""
    found = part(request, wanted, after, _ON_A_PAGE)
    given = {name: value for name, value in request.query_params.items() if value and name != "after"}
    return page(
        request,
        "history.html",
        "History",
        json=f"/api/history?{urlencode(given)}",
        rows=[Row(episode) for episode in found.episodes],
        given=given,
        next=f"?{urlencode(given | {'after': str(found.next)})}" if found.next else "",
        is_first=not after,
        results=RESULTS,
        endings=[(ending.value, ending.words) for ending in Ending],
    )


@router.get("/api/history", tags=["episodes"])
def read_history(
    request: Request,
    wanted: Annotated[Wanted, Depends(wanted)],
    after: Annotated[str, Query(max_length=60, description="`next` of the part before")] = "",
    most: Annotated[int, Query(ge=1, le=_MOST)] = _ON_A_PAGE,
) -> dict[str, Any]:
    """Episodes of all tournaments, the newest first; `next` leads on to older ones."""
    found = part(request, wanted, after, most)
    episodes = [msgspec.to_builtins(episode._asdict(), builtin_types=[datetime]) for episode in found.episodes]
    return {"episodes": episodes, "next": str(found.next) if found.next else None}


class Row:
    """An episode as a row of the page."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.address = f"/episodes/{found.episode}"
        self.lasted = spoken_time(found.wall)
        self.ended = found.ending.words
        is_decided = found.ending is not Ending.MACHINE
        best = max(found.scores)
        self.players = [
            (name, score(points) if is_decided else "", is_decided and points == best and len(set(found.scores)) > 1)
            for name, points in zip(found.seats, found.scores, strict=True)
        ]
        self.blamed = _listed(found.seats[seat] for seat in found.by)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
