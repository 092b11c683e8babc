"""The tournaments of a study, made from one tournament file: repeated, with random plies, or with fewer matches."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.kinds import whole_list
from ludus.core.text import did_you_mean, listing, plural
from ludus.store import Store
from ludus.tournaments.file import Plan
from ludus.tournaments.formats import Format, format_from
from ludus.tournaments.tournament import Openings

REPETITIONS = 10
"""Repetitions of a tournament whose file has one: deviations need several."""
PLIES, PLIES_KIND = (0, 1, 2), whole_list(0, 1000)
SHARES, SHARES_KIND = (100, 75, 50, 25, 12, 6), whole_list(1, 100)
"""Per cent of the matches of a double round robin."""
STUDIES: dict[str, tuple[str, ...]] = {
    "commutativity": (),
    "openings": ("random_plies",),
    "fraction": ("shares", "subset"),
    "repetition": (),
}
"""The studies of tournaments, and the settings that belong to each."""
_DOUBLE = "double-round-robin"


class Part(NamedTuple):
    """A tournament of a study, in one of its settings: a number of random plies, or per cent of the matches."""

    setting: float
    plan: Plan


class StudyPlan(NamedTuple):
    """A study: the tournament that it began with, and one in each setting, the first as the standard of comparison."""

    kind: str
    base: Plan
    parts: list[Part]
    left_out: Sequence[int] = ()
    """Shares of the matches that the field is too small for."""


def plan_study(kind: str, base: Plan, *, repetitions: int | None = None, **settings: object) -> StudyPlan:
    """Plan a study of a tournament; settings that are None count as not given."""
    if kind not in STUDIES:
        raise InvalidError(f"There is no study '{kind}'{did_you_mean(kind, STUDIES)}: choose from {listing(STUDIES)}.")
    given = {name: value for name, value in settings.items() if value is not None}
    for name in given.keys() - set(STUDIES[kind]):
        owner = next(other for other, own in STUDIES.items() if name in own)
        raise InvalidError(f"'{name}' belongs to the study '{owner}', not to '{kind}': leave it out.")
    base = repeated(base, repetitions)
    match kind:
        case "openings":
            return StudyPlan(
                kind, base, with_plies(base, PLIES_KIND.checked("random_plies", given.get("random_plies", PLIES)))
            )
        case "fraction":
            shares = SHARES_KIND.checked("shares", given.get("shares", SHARES))
            return StudyPlan(kind, base, *with_shares(base, shares, str(given.get("subset", "random"))))
        case "commutativity":
            base = in_both_seatings(base)
    return StudyPlan(kind, base, [Part(0, base)])


def as_stored(planned: Plan, store: Store) -> Plan:
    """The tournament with the repetitions that are stored under its name, if these are more."""
    made = planned.tournament
    stored = [store.tournament(summary.id) for summary in store.tournaments() if summary.name == made.name]
    most = max(one.repetitions for one in (made, *stored))
    return planned._replace(tournament=msgspec.structs.replace(made, repetitions=most))


def repeated(base: Plan, repetitions: int | None = None) -> Plan:
    """The tournament with this many repetitions; by default as in its file, or ten if it has one.

    A file with one repetition keeps its tournament as it is: the study plays another one.
    """
    own = base.tournament.repetitions
    wanted = repetitions or (own if own > 1 else REPETITIONS)
    if own == 1 < wanted:
        return _changed(base, "repeated", repetitions=wanted)
    return base._replace(tournament=msgspec.structs.replace(base.tournament, repetitions=wanted))


def in_both_seatings(base: Plan) -> Plan:
    """The tournament as a double round robin, in which each pair meets in both seatings."""
    _refuse_other_than_two(base)
    if base.parts.format.name == _DOUBLE:
        return base
    return _with_format(base, format_from(_DOUBLE), "double round robin")


def with_plies(base: Plan, plies: Sequence[int]) -> list[Part]:
    """The tournament with each of these numbers of random plies; the openings of its file are left out."""
    parts = []
    for number in dict.fromkeys(plies):
        openings = Openings(number)
        if openings == base.tournament.openings:
            parts.append(Part(number, base))
        else:
            label = plural(number, "random ply", "random plies")
            parts.append(Part(number, _changed(base, label, openings=openings)))
    return parts


def with_shares(base: Plan, shares: Sequence[int], subset: str) -> tuple[list[Part], list[int]]:
    """The double round robin and the shares of it that the field is large enough for; and those it is too small for.

    `subset` is the parameter of the format `variable`. The whole tournament always comes first.
    """
    whole = in_both_seatings(base)
    parts, left_out = [Part(100, whole)], []
    for share in sorted(set(shares) - {100}, reverse=True):
        format = format_from(f"variable:fraction={share / 100:g},subset={subset}")
        if format.unsuited(len(base.tournament.agents), base.parts.game.seats):
            left_out.append(share)
        else:
            parts.append(Part(share, _with_format(base, format, f"{share} % of the matches, {subset}")))
    if len(parts) == 1:
        agents = plural(len(base.tournament.agents), "agent")
        raise InvalidError(f"{agents} are too few for a part of the matches: use larger shares, or more agents.")
    return parts, left_out


def _with_format(base: Plan, format: Format, label: str) -> Plan:
    _refuse_other_than_two(base)
    changed = _changed(base, label, format=format.spec())
    return changed._replace(parts=base.parts._replace(format=format))


def _changed(base: Plan, label: str, **content: object) -> Plan:
    """The tournament with other content, under a name of its own."""
    name = f"{base.tournament.name}, {label}"
    return base._replace(tournament=msgspec.structs.replace(base.tournament, name=name, **content))


def _refuse_other_than_two(base: Plan) -> None:
    if (seats := base.parts.game.seats) != 2:
        raise InvalidError(f"This study is for games of two players, but {base.tournament.game} has {seats}.")
