"""The continuation of a stored tournament: as it is, or grown, or refused."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ludus.core.errors import InvalidError
from ludus.core.text import listing, plural
from ludus.store.differences import differences
from ludus.tournaments.formats import Format, format_from
from ludus.tournaments.tournament import Entrant, Tournament

Resuming = Callable[[int, Tournament, Tournament], Tournament]
"""Makes of a stored tournament, with its number, and a given one that to be stored; or refuses."""


def resumed(id: int, stored: Tournament, given: Tournament) -> Tournament:
    """The stored tournament, continued by a run of the given one: a drawn seed gives way to the stored one.

    It may grow by episodes, repetitions and agents, which come last, and never shrinks. The user who runs it has
    named all its files, so it is no longer foreign.
    """
    wanted = replace(given, seed=stored.seed if given.drawn else given.seed, founders=stored.founders, foreign=False)
    if given.format != stored.format:
        _refuse(id, stored, wanted)
    format = format_from(stored.format)
    if set(stored.agents) < set(given.agents):
        _refuse_to_join(stored, given, format)
    if format.can_grow and set(stored.agents) <= set(given.agents):
        joining = (entrant for entrant in given.agents if entrant not in stored.agents)
        ordered = (*stored.agents, *joining)
        if ordered[format.named_places] == given.agents[format.named_places]:
            wanted = replace(wanted, agents=ordered)
    grown = _grown(id, stored, wanted)
    for what, count in (("episodes", "episode"), ("repetitions", "repetition")):
        old, new = getattr(stored, what), getattr(given, what)
        per = " per match" if what == "episodes" else ""
        if new < old:
            raise InvalidError(
                f"'{stored.name}' is stored with {plural(old, count)}{per}, more than the {new:,} wanted now: "
                f"keep --{what} {old}, or choose another name for a separate tournament."
            )
        if new > old and what == "episodes" and format.depends_on_results:
            raise InvalidError(
                f"'{stored.name}' keeps its {plural(old, count)}{per}, because the pairings of {stored.format} depend "
                "on their results: choose another name for a separate tournament."
            )
    return grown


def imported(id: int, stored: Tournament, given: Tournament) -> Tournament:
    """The stored tournament, united with an exported one: one of the two has grown out of the other.

    It is foreign if an import added agents that nobody trusted.
    """
    shorter, longer = sorted((stored, given), key=lambda tournament: len(tournament.agents))
    same = shorter.began_with == longer.began_with and longer.agents[: len(shorter.agents)] == shorter.agents
    if not same or given.format != stored.format:
        _refuse(id, stored, given)
    if stored.episodes != given.episodes and format_from(stored.format).depends_on_results:
        _refuse(id, stored, given)
    grows, is_whole = longer is given and longer.agents != shorter.agents, len(given.agents) >= len(stored.agents)
    return _grown(
        id,
        stored,
        replace(
            given,
            foreign=stored.foreign or grows if given.foreign else stored.foreign and not is_whole,
            agents=longer.agents,
            episodes=max(stored.episodes, given.episodes),
            repetitions=max(stored.repetitions, given.repetitions),
        ),
    )


def _grown(id: int, stored: Tournament, wanted: Tournament) -> Tournament:
    """The stored tournament with the size of the wanted one; all else must be equal."""
    old = len(stored.agents)
    joined = wanted.agents[old:]
    grown = replace(
        stored,
        agents=wanted.agents[:old] + joined,
        episodes=wanted.episodes,
        repetitions=wanted.repetitions,
        founders=stored.began_with if joined else stored.founders,
        deterministic=_deterministic(stored, wanted, joined),
        foreign=wanted.foreign,
    )
    incidental = ("name", "apart", "founders", "deterministic", "drawn")
    alike = replace(wanted, **{name: getattr(grown, name) for name in incidental})
    if wanted.agents[:old] != stored.agents or alike != grown:
        _refuse(id, stored, wanted)
    return grown


def _deterministic(stored: Tournament, wanted: Tournament, joined: Sequence[Entrant]) -> tuple[str, ...] | None:
    if stored.deterministic is None:
        return None
    declared = wanted.deterministic or ()
    return (*stored.deterministic, *(entrant.spec for entrant in joined if entrant.spec in declared))


def _refuse_to_join(stored: Tournament, given: Tournament, format: Format) -> None:
    new = listing([entrant.name for entrant in given.agents if entrant not in stored.agents])
    if format.can_grow:
        if given.agents[format.named_places] != stored.agents[format.named_places]:
            raise InvalidError(
                f"{stored.format} names agents by their places, which change if {new} joins '{stored.name}' there: "
                "put new agents at the end."
            )
        return
    depends = "results" if format.depends_on_results else "the whole field"
    raise InvalidError(
        f"{new} cannot join '{stored.name}', because the matches of {stored.format} depend on {depends}: choose "
        "another name for a separate tournament."
    )


def _refuse(id: int, stored: Tournament, given: Tournament) -> None:
    changes = "; ".join(differences(stored, given))
    raise InvalidError(
        f"The name '{stored.name}' is taken by a different tournament: {changes}. Choose another name, or delete the "
        f"old one with 'ludus store delete {id}'."
    )
