"""Tournaments in a store of their own, with episodes drawn from assumed strengths instead of played."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np

from ludus.episode.finished import Episode
from ludus.episode.finished import episode as episode_of
from ludus.episode.record import Ending, Fault, Key, Move, Record, Seat
from ludus.stats.results import Results
from ludus.store import Store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant, Openings, Tournament


def stored(
    store: Store,
    names: Sequence[str],
    *,
    game: str = "hex:size=4",
    seats: int = 2,
    episodes: int = 4,
    repetitions: int = 1,
    expected: np.ndarray | None = None,
    planned: int | None = None,
    courses: int = 2**62,
    finished: bool = True,
    broken: bool = False,
    name: str = "Spring cup",
) -> Results:
    """Everybody against everybody in every seat.

    `expected` are the scores of rows, which move first; `courses` is how many ways an episode can go, if nothing in it
    is random; `planned` more episodes than are stored; `broken` blames the machine for every end.
    """
    agents = tuple(Entrant(name, f"mcts:simulations={100 * (k + 1)}") for k, name in enumerate(names))
    tournament = Tournament(
        name=name,
        game=game,
        agents=agents,
        deterministic=tuple(agent.spec for agent in agents) if courses < 2**62 else (),
        format={1: "solo", 2: "double-round-robin"}.get(seats, "seatings"),
        episodes=planned or max(episodes, 1),
        repetitions=repetitions,
        openings=Openings(plies=1),
        seed=7,
    )
    entered = store.enter(tournament, {}).id
    matches = [Match(0, seating) for seating in itertools.permutations(range(len(names)), seats)]
    with store.sitting(entered, 2, 4, False):
        for repetition in range(repetitions):
            store.add_matches(entered, repetition, 0, matches)
            drawn = _episodes(tournament, matches, repetition, episodes, expected, courses, broken)
            while batch := list(itertools.islice(drawn, 5000)):
                store.add(entered, batch)
    if finished:
        store.finish(entered)
    return Results(store, entered)


def _episodes(
    tournament: Tournament,
    matches: Sequence[Match],
    repetition: int,
    episodes: int,
    expected: np.ndarray | None,
    courses: int,
    broken: bool,
) -> Iterator[Episode]:
    agents = len(tournament.agents)
    rng = np.random.default_rng(repetition)
    strengths = np.linspace(1, -1, agents)
    paces = 10 ** np.random.default_rng(5).uniform(4, 7.5, agents)
    for number, match in enumerate(matches):
        seated = list(match.seats)
        for episode in range(episodes):
            if len(seated) == 1:
                scores: tuple[float, ...] = (float(round(rng.lognormal(7 + strengths[seated[0]], 0.5))),)
            elif len(seated) == 2 and expected is not None:
                won = rng.random() < expected[seated[0], seated[1]]
                scores = (1.0, -1.0) if won else (-1.0, 1.0)
            else:
                order = np.argsort(-(strengths[seated] + rng.gumbel(0, 0.8, len(seated)))).argsort()
                scores = tuple((1 - 2 * order / (len(seated) - 1)).tolist())
            walls = tuple((paces[agent] * rng.lognormal(0, 0.6, 6)).astype(int).tolist() for agent in seated)
            late = len(seated) > 1 and not broken and rng.random() < 0.01
            by = [int(np.argmin(scores))] if late else []
            yield episode_of(
                Record(
                    format=1,
                    ludus="0.1.0",
                    played=datetime.fromtimestamp(1_760_000_000 + episode, UTC),
                    game=tournament.game,
                    seats=[Seat(tournament.agents[agent].spec, tournament.agents[agent].name) for agent in seated],
                    seed=episode,
                    scores=list(scores),
                    ending=Ending.MACHINE if broken else Ending.LATE if late else Ending.RULES,
                    by=by,
                    steps=[_step(walls, turn, seat, by) for turn in range(6) for seat in range(len(seated))],
                ),
                Key(repetition, number, episode),
                sum(map(sum, walls)),
                int(rng.integers(courses)),
            )


def _step(walls: Sequence[Sequence[int]], turn: int, seat: int, by: Sequence[int]) -> list[Move]:
    fault = Fault.LATE if turn == 5 and seat in by else None
    return [Move(seat, "a1", wall=walls[seat][turn], metrics={"simulations": 100 + turn}, fault=fault)]
