"""Differences between a stored tournament and a given one, in words."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ludus.tournaments.tournament import Tournament

LUDUS = "ludus"
"""Key of the version of Ludus itself; all other keys are names of files."""
_INCIDENTAL = ("name", "deterministic", "drawn", "apart", "foreign")
_LONGEST = 60  # maximum letters of a value shown


def differences(stored: Tournament, given: Tournament) -> list[str]:
    """Fields that differ: stored → given; for agents, removed (−) and added (+) ones."""
    found = []
    for field in Tournament.__struct_fields__:
        old, new = getattr(stored, field), getattr(given, field)
        if old == new or field in _INCIDENTAL:
            continue
        if field == "agents":
            found.append(_agents(stored, given))
        elif field in ("openings", "limits"):
            found += [
                f"{field}.{part} {_shown(getattr(old, part))} → {_shown(getattr(new, part))}"
                for part in type(old).__struct_fields__
                if getattr(old, part) != getattr(new, part)
            ]
        else:
            found.append(f"{field} {_shown(old)} → {_shown(new)}")
    return found


def _agents(stored: Tournament, given: Tournament) -> str:
    def name(entrant: Any) -> str:
        return entrant.spec if entrant.name == entrant.spec else f"{entrant.name} ({entrant.spec})"

    gone = [f"− {name(entrant)}" for entrant in stored.agents if entrant not in given.agents]
    new = [f"+ {name(entrant)}" for entrant in given.agents if entrant not in stored.agents]
    return "agents " + (", ".join(gone + new) or "in another order")


def _shown(value: Any) -> str:
    if value is None or value == ():
        return "none"
    text = str(value) if isinstance(value, str | int) else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def differing_versions(stored: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    """Keys whose versions differ, or are in one of the two only."""
    return [what for what in sorted(stored.keys() | given.keys()) if stored.get(what) != given.get(what)]


def changed_versions(stored: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    """Changes since the tournament began, as sentences: the files of games and agents, then Ludus."""
    changed = differing_versions(stored, given)
    found = []
    if files := [what for what in changed if what != LUDUS]:
        have, old = ("has", "the old file") if len(files) == 1 else ("have", "the old files")
        found.append(
            f"{', '.join(files)} {have} changed since this tournament began: its stored episodes used {old}. "
            "To play it again, change --seed and --name."
        )
    if LUDUS in changed:
        was, now = stored.get(LUDUS, "absent"), given.get(LUDUS, "absent")
        found.append(f"{LUDUS} was {was} when this tournament began, and is {now} now.")
    return found
