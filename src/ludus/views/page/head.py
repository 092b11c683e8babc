"""The head and the foot of the page: the result in sentences, and the data needed to repeat it."""

from typing import Any

from markupsafe import Markup, escape

from ludus.core.text import chance, counted_share, figure, interval, margin, percent, plural, signed, whole
from ludus.stats.results import Results
from ludus.views.facts import equal_games
from ludus.views.rounds import final


def colophon(results: Results) -> list[str]:
    """The data needed to play it again."""
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
    sentences = []
    if results.seats == 1:
        sentences.append(Markup("{} is first with a mean score of {}").format(name, figure(first["mean"])))
        if following and first["ahead"] is not None:
            sentences[0] += Markup(", ahead of {} on {} of the seeds").format(
                following["agent"], counted_share(first["ahead"])
            )
    elif results.by_format.orders:
        sentences.append(name + " " + _by_format(results, first))
    else:
        rating = " ".join(interval(first["rating"], first["low"], first["high"])).strip()
        sentences.append(Markup("{} is first with a rating of {}").format(name, rating.replace("≥", "at least")))
        if following and first["better"] is not None:
            sentences[0] += Markup(", stronger than {} with a probability of {}").format(
                following["agent"], chance(first["better"])
            )
    sentences[0] += Markup(".")
    if results.seats == 2:
        seat = results.by_seat().row(0, named=True)
        if seat["advantage"] is not None:
            sentences.append(
                Markup("Moving first scores {}, an advantage of {} {} Elo points.").format(
                    percent(seat["score"]),
                    signed(seat["advantage"]),
                    margin(seat["error"]),
                )
            )
    if results.duplicates:
        rated = ": ratings count them once" if results.seats > 1 else ""
        sentences.append(
            Markup("{} of {} are duplicates of earlier ones with the same seats{}.").format(
                whole(results.duplicates), plural(results.played, "episode"), rated
            )
        )
    return [*sentences, *map(escape, equal_games(results.repeating))]


def _by_format(results: Results, first: dict[str, Any]) -> str:
    """The result of the best agent in a knockout or a Swiss tournament, as the end of a sentence after its name."""
    if results.by_format.orders[0] == "points":
        over = " on average" if results.tournament.repetitions > 1 else ""
        return f"is first with {figure(first['points'])} points{over}"
    if results.tournament.repetitions > 1:
        return f"is first with a mean place of {figure(first['place'])}"
    decided = final(results.rounds(), 1)
    return decided.words if decided else "is first so far"
