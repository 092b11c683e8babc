"""Facts of a tournament as texts: the head of its results on the terminal and on the page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from ludus.core.errors import LudusError
from ludus.core.kinds import SIZE, TIME
from ludus.core.spec import limit_texts, parse_agent, without_folder
from ludus.core.text import DASH, listing, percent, plural, spoken_moment, spoken_size, spoken_time, whole
from ludus.episode.limits import LIMITS, UNLIMITED, Limits, own_limits
from ludus.stats.results import Results
from ludus.store.server_games import is_loose

if TYPE_CHECKING:
    from ludus.run.sweep_results import Swept
    from ludus.stats.endings import Faulty
    from ludus.store import Sitting
    from ludus.tournaments.tournament import Openings, Tournament


def facts(results: Results) -> Iterator[tuple[str, str]]:
    """Content, time and conditions of a tournament: a label each, and a text."""
    tournament = results.tournament
    yield "game", without_folder(tournament.game)
    times = f", {tournament.repetitions:,} repetitions" if tournament.repetitions > 1 else ""
    yield "format", f"{tournament.format}, {plural(len(tournament.agents), 'agent')}{times}"
    if winners := Counter(results.winners):
        yield "winner", winner(winners, tournament.repetitions)
    yield "matches", _matches(results)
    yield "episodes", _episodes(results)
    yield "openings", openings(tournament.openings)
    if not is_loose(tournament):
        yield "seed", str(tournament.seed)
    yield "limits", "; ".join([limits(tournament.limits, bots=results.has_bots), *own_limits_of(tournament)])
    yield "when", _when(results)
    if results.sittings:
        yield "workers", "; ".join(dict.fromkeys(map(workers, results.sittings)))


def ended_by_faults(found: "Faulty") -> Iterator[str]:
    """A sentence on games that ended by faults, if there are any."""
    if found.episodes:
        of_each = [f"{number:,} of {agent}" for agent, number in found.by.items()]
        whose = f" of {next(iter(found.by))}" if len(of_each) == 1 else f", {', '.join(of_each)}"
        games = f"{found.episodes:,} of {plural(found.of, 'game')} ended by faults{whose}"
        yield f"{games}: '{found.command}' lists them."


def equal_games(repeating: Sequence[Sequence[str]]) -> Iterator[str]:
    """A sentence on agents that only repeat their games, although something in them may be random."""
    if repeating:
        first = listing(repeating[0])
        where = f"of {first}" if len(repeating) == 1 else f"in {len(repeating)} pairings, such as {first},"
        yield (
            f"All games {where} from one opening are equal, yet each counts, because something in them may be random: "
            "deterministic=yes declares a bot in which nothing is."
        )


def cautions(found: "Results | Swept") -> Iterator[str]:
    """Sentences on what may mislead in figures: games that ended by faults, and equal games that all count."""
    yield from ended_by_faults(found.faulty)
    yield from equal_games(found.repeating)


def progress(results: Results) -> str:
    """The progress of an unfinished tournament."""
    return progress_of(results.played, planned(results))


def progress_of(played: int, most: int | None) -> str:
    """The progress in episodes; the planned number may be unknown."""
    if most is None:
        return f"{plural(played, 'episode')}; the number planned is unknown, because its game was not found"
    return f"{played:,} of {plural(most, 'episode')} ({share_of(played, most)})"


def planned(results: Results) -> int | None:
    """Number of planned episodes; None if it is unknown because the file of the game is missing."""
    try:
        return results.planned
    except LudusError:
        return None


def share_of(part: int, whole: int) -> str:
    """A part of a whole in per cent."""
    return percent(part / whole if whole else 0, 0)


def _matches(results: Results) -> str:
    episodes = plural(results.tournament.episodes, "episode")
    if results.summary.finished:
        return f"{results.matches:,}, with {'up to ' if results.is_cut_short else ''}{episodes} each"
    most = planned(results)
    number = DASH if most is None else f"{most // results.tournament.episodes:,} planned"
    return f"{number}, with {episodes} each"


def _episodes(results: Results) -> str:
    if not results.duplicates:
        return whole(results.played)
    share = share_of(results.duplicates, results.played)
    rated = "; ratings leave these out" if results.seats > 1 else ""
    return f"{results.played:,}; {results.duplicates:,} ({share}) are duplicates of earlier ones{rated}"


def _when(results: Results) -> str:
    ended = [(sitting.started, sitting.ended) for sitting in results.sittings if sitting.ended]
    if not ended:
        return spoken_moment(results.summary.created)
    spent = sum((end - start for start, end in ended), timedelta())
    times = "" if len(results.sittings) == 1 else f" in {len(results.sittings)} runs"
    return f"{spoken_moment(results.sittings[0].started)}, {spoken_time(spent.total_seconds() * 1e9)}{times}"


def winner(winners: Counter[str], repetitions: int) -> str:
    """The winner, or for several repetitions the number of wins of each."""
    if repetitions == 1:
        return next(iter(winners))
    return ", ".join(f"{name} in {plural(count, 'repetition')}" for name, count in winners.most_common())


def limits(limits: Limits, *, bots: bool = False) -> str:
    """The limits of the players, with the policy; `bots` adds further limits of bots."""
    text = _of_all(limits)
    if bots and (own := limits.for_bots()) != limits:
        text += f"; bots have {', '.join(_granted(limits, own))}"
    return text


def own_limits_of(tournament: "Tournament") -> Iterator[str]:
    """The limits of agents that have some of their own."""
    for entrant in tournament.agents:
        if "limit." in entrant.spec:
            own = own_limits(tournament.limits, limit_texts(parse_agent(entrant.spec).options)) or tournament.limits
            changed = [_limit(name, own) for name in LIMITS if getattr(own, name) != getattr(tournament.limits, name)]
            if changed:
                yield f"{entrant.name} has {listing(changed)}"


def _granted(limits: Limits, own: Limits) -> list[str]:
    """Limits of bots that are not set explicitly."""
    return [_limit(name, own) for name in LIMITS if getattr(limits, name) != getattr(own, name)]


def _of_all(limits: Limits) -> str:
    if limits == UNLIMITED:
        return "none"
    changed = [name for name in LIMITS if getattr(limits, name) != getattr(UNLIMITED, name)]
    of_moves = [name for name, limit in LIMITS.items() if limit.kind is TIME and not limit.only_bots]
    times = [name for name in changed if name in of_moves and name != "grace"]
    others = [name for name in changed if name not in (*of_moves, "policy")]
    return ", ".join(_limit(name, limits) for name in [*times, *(["grace"] if times else []), *others, "policy"])


def _limit(name: str, limits: Limits) -> str:
    """One limit in words."""
    limit, value = LIMITS[name], getattr(limits, name)
    if not isinstance(limit.words, str):
        return plural(value, *limit.words)
    if limit.kind is SIZE:
        return limit.words.format(f"{value:,}" if limit.one == 1 else spoken_size(value))
    return limit.words.format(limit.kind.write(value))


def openings(openings: "Openings") -> str:
    """The start of the episodes."""
    if openings.listed:
        return f"{plural(len(openings.listed), 'opening')} from a file"
    return plural(openings.plies, "random ply", "random plies") if openings.plies else "none"


def workers(sitting: "Sitting") -> str:
    """Number of workers in a run, and their share of the cores."""
    if not sitting.workers:
        return "none: all in one process"
    on_cores = f"{sitting.workers:,} on {plural(sitting.cores, 'core')}"
    if sitting.timed:
        return f"{on_cores}, each on its own"
    return f"{on_cores}, {sitting.workers / sitting.cores:.2g} per core"
