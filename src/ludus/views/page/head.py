"""What stands at the head and the foot of the page: the result in words, and what was played."""

from collections import Counter

from markupsafe import Markup

from ludus.core.text import chance, counted_share, decimal, figure, margin, plural, signed, spoken_stretch, whole
from ludus.stats import wording
from ludus.stats.results import Results


def facts(results: Results) -> list[tuple[str, str]]:
    """What was played, when and how."""
    tournament, sittings = results.tournament, results.sittings
    found = [
        ("Game", tournament.game),
        ("Format", tournament.format),
        ("Agents", whole(len(results.agents))),
        ("Matches", whole(results.matches)),
        (
            "Episodes",
            f"{whole(results.played)}, {'up to ' if results.is_cut_short else ''}{tournament.episodes:,} a match",
        ),
        ("Openings", wording.openings(tournament.openings)),
        ("Limits", wording.limits(tournament.limits, bots=results.has_bots)),
    ]
    if winners := Counter(results.winners):
        found.insert(2, ("Winner", wording.winner(winners, tournament.repetitions)))
    if tournament.repetitions > 1:
        found.append(("Repetitions", whole(tournament.repetitions)))
    if sittings:
        last = max(sitting.ended or sitting.started for sitting in sittings)
        found.append(("Played", spoken_stretch(sittings[0].started, last)))
        found.append(("Workers", "; ".join(dict.fromkeys(map(wording.workers, sittings)))))
    return found


def colophon(results: Results) -> list[str]:
    """What is needed to play it again."""
    versions = dict.fromkeys(sitting.ludus for sitting in results.sittings)
    seed, identity = results.tournament.seed, results.tournament.identity
    played = [f"Ludus {', '.join(versions)}"] if versions else []
    return [*played, f"seed {seed}", f"identity {identity}"]


def lead(results: Results) -> list[Markup]:
    """The result in a few sentences."""
    table = results.standings()
    first = table.row(0, named=True)
    if not first["episodes"]:
        return [Markup("No episode has a result.")]
    following = table.row(1, named=True) if len(table) > 1 else None
    name = Markup("<b>{}</b>").format(first["agent"])
    said = []
    if results.seats == 1:
        said.append(Markup("{} is first with a mean score of {}").format(name, figure(first["mean"])))
        if following and first["ahead"] is not None:
            said[0] += Markup(", ahead of {} on {} of the seeds").format(
                following["agent"], counted_share(first["ahead"])
            )
    else:
        interval = f"{signed(first['rating'])} {margin(first['error'])}"
        said.append(Markup("{} is first with a rating of {}").format(name, interval))
        if following and first["better"] is not None:
            said[0] += Markup(", better than {} with a chance of {}").format(
                following["agent"], chance(first["better"])
            )
    said[0] += Markup(".")
    if results.seats == 2:
        seat = results.by_seat().row(0, named=True)
        if seat["advantage"] is not None:
            said.append(
                Markup("Moving first scores {}, an advantage of {} {} Elo points.").format(
                    decimal(seat["score"]),
                    signed(seat["advantage"]),
                    margin(seat["error"]),
                )
            )
    if results.duplicates:
        rated = ": ratings count them once" if results.seats > 1 else ""
        said.append(
            Markup("{} of {} went exactly like an earlier one with the same seats{}.").format(
                whole(results.duplicates), plural(results.played, "episode"), rated
            )
        )
    return said
