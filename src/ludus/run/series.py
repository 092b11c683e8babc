"""Series: episodes between the same agents, whose seats rotate."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from ludus.core.errors import InvalidError
from ludus.core.seeds import drawn_seed, seed_from
from ludus.core.spec import without_folder
from ludus.core.text import plural
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits, own_limits
from ludus.episode.local_player import player_for
from ludus.episode.opening import opening_at, random_opening, read_openings
from ludus.episode.person import Drawer
from ludus.episode.record import FROM_THE_START, Opening, Record
from ludus.episode.referee import Watcher
from ludus.episode.seating import check_seats, prepare, seated
from ludus.episode.takebacks import Takebacks
from ludus.games.game import Game
from ludus.run.setup import failure
from ludus.tournaments.config import with_default_limits
from ludus.tournaments.field import Pick
from ludus.tournaments.run_options import RunOptions

_MARKS = 16**6


class Series:
    """Episodes between the same agents, one for each seat; the user's defaults fill the gaps in the limits."""

    def __init__(self, game: Game, field: Sequence[Pick], limits: Mapping[str, Any], options: RunOptions) -> None:
        agents = [pick.agent for pick in field]
        check_seats(game, agents)
        own = [agent.has_processes for agent in agents if "memory" in agent.limits]
        if not all(own) or ("memory" in limits and not any(agent.has_processes for agent in agents)):
            raise InvalidError("'ludus play' limits the memory of bots only; 'ludus run' also limits that of agents.")
        self.game = game
        self.limits = Limits(**with_default_limits(limits))
        for agent in agents:
            own_limits(self.limits, agent.limits)  # which refuses those that it cannot have
        self.seed = drawn_seed() if options.seed is None else options.seed
        self._mark = f"{seed_from(self.seed, 'name') % _MARKS:06x}"  # bots are told it, and must not learn the seed
        names = _distinct([pick.entrant.name for pick in field])
        self.players = [player_for(agent, name) for agent, name in zip(agents, names, strict=True)]
        self._plies = options.opening_plies or 0
        self._start = FROM_THE_START if options.position is None else opening_at(options.position, game, agents)
        self._listed = () if options.openings is None else read_openings(options.openings, game, self._plies)
        if self._listed and self._start is not FROM_THE_START:
            raise InvalidError("Openings come from a file or from one position: leave out --openings or --position.")

    @property
    def names(self) -> list[str]:
        """The names of the agents, in the order in which they were given."""
        return [player.name for player in self.players]

    @property
    def has_humans(self) -> bool:
        """True if a person takes part."""
        return any(player.agent.person for player in self.players)

    def prepare(self) -> None:
        """Compile the game and its agents, before any clock runs."""
        prepare(self.game, [player.agent for player in self.players])

    @contextmanager
    def seated(self) -> Iterator[None]:
        """Keep the bots for all episodes of the series, and end them with it."""
        with seated(self.players, self.game):
            yield

    def seating(self, number: int) -> list[int]:
        """The numbers of the agents, seat by seat, in that episode."""
        seats = len(self.players)
        return [(seat + number) % seats for seat in range(seats)]

    def opening(self, number: int) -> Opening:
        """The opening of that episode: the same in all episodes of one rotation."""
        rotation = number // len(self.players)
        if self._listed:
            return self._listed[rotation % len(self._listed)]
        return random_opening(self.game, self._plies, seed_from(self.seed, "opening", rotation), self._start)

    def play(self, number: int, watch: Watcher | None = None, draw: Drawer | None = None) -> Record:
        """Play that episode; people see the board as `draw` shows it, and may take back moves."""
        if not self.has_humans:
            return self._play(number, self.opening(number), self.limits, watch)
        takebacks = Takebacks(self.game, self.opening(number), self.limits)
        takebacks.offer([player.agent for player in self.players], draw)
        return takebacks.play(partial(self._play, number))

    def _play(
        self, number: int, opening: Opening, limits: Limits, watch: Watcher | None = None, taken_back: int = 0
    ) -> Record:
        """Play an episode, or the rest of one in which that many moves were taken back."""
        try:
            return play_episode(
                self.game,
                [self.players[agent] for agent in self.seating(number)],
                limits=limits,
                seed=seed_from(self.seed, "episode", number),
                opening=opening,
                watch=watch,
                name=f"play-{self._mark}-{number}" + (f"-{taken_back}" if taken_back else ""),
            )
        except OSError:  # perhaps of a watcher
            raise
        except Exception as error:
            raise failure(error, self.game.spec(), f"in episode {number + 1}") from error


def about(game: Game, episodes: int, seed: int) -> str:
    """The game, the number of episodes, their seed, and how often each agent had each seat."""
    words = f"{without_folder(game.spec())}, {plural(episodes, 'episode')}, seed {seed}."
    seats = game.seats
    if seats == 1 or episodes == 1:
        return words
    if episodes % seats:
        uneven = f"{episodes:,} is not a multiple of {seats}"
        return f"{words} The seats rotated, but {uneven}, so some agents had one seat more often."
    return f"{words} The seats rotated: each agent had each seat {_times(episodes // seats)}."


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n:,} times")


def _distinct(names: Sequence[str]) -> list[str]:
    return [f"{name} #{names[:i].count(name) + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)]
