"""A tournament: its content and its identity."""

import hashlib

import msgspec
from msgspec.structs import replace

from ludus.core.seeds import seed_from
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.record import Opening

_MARK = 6  # letters of the identity in a default name


class Entrant(msgspec.Struct, frozen=True):
    """An agent of the field: its name and its spec."""

    name: str
    spec: str


class Openings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The start of episodes: random plies, or the openings of a file, one after the other."""

    plies: int = 0
    listed: tuple[Opening, ...] = ()


NO_OPENINGS = Openings()


class Tournament(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that decides how a tournament is played, and its name.

    `deterministic` has the specs of the agents that leave nothing to chance in this game, None if nobody asked them.
    `drawn` is true as long as nobody has chosen the seed: a stored tournament that this one continues has its own.
    `founders` is the number of agents that a tournament began with, if others joined later. `apart` is set where
    another tournament in the store is equal in all but its name. `foreign` is true for an imported one, whose Python
    files nobody here has trusted. The identity leaves out name, deterministic, drawn and foreign.
    """

    name: str
    game: str
    agents: tuple[Entrant, ...]
    format: str
    episodes: int = 1
    repetitions: int = 1
    seed: int = 0
    openings: Openings = NO_OPENINGS
    limits: Limits = UNLIMITED
    deterministic: tuple[str, ...] | None = None
    drawn: bool = False
    founders: int | None = None
    apart: str = ""
    foreign: bool = False

    @property
    def identity(self) -> str:
        """A hash of the content, the same for the same content on every machine."""
        plain = replace(self, name="", deterministic=None, drawn=False, foreign=False)
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:16]

    def named_after(self, game: str) -> "Tournament":
        """The same with a default name, of its game and its content, which stays when the tournament grows."""
        return replace(self, name=f"{game} {self._mark}")

    @property
    def has_default_name(self) -> bool:
        """True if the name is the default one."""
        return self.name.endswith(f" {self._mark}")

    @property
    def with_first_seed(self) -> "Tournament":
        """The same as Ludus 0.1 stored it, where nobody chose a seed or a name."""
        old = replace(self, seed=0, drawn=False)
        return replace(old, name=f"{self.name.rpartition(' ')[0]} {old.identity[:_MARK]}")

    @property
    def began_with(self) -> int:
        """Number of agents that it began with."""
        return self.founders or len(self.agents)

    @property
    def _mark(self) -> str:
        seed = 0 if self.drawn else self.seed
        return replace(self, seed=seed, episodes=1, repetitions=1).identity[:_MARK]

    def format_seed(self, repetition: int) -> int:
        """The seed of all random choices of the format in a repetition."""
        return seed_from(self.seed, "repetition", repetition, "format")

    def to_json(self) -> str:
        """The content as one line of JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> "Tournament":
        """Read a text written by `to_json`."""
        return msgspec.json.decode(text, type=cls)
