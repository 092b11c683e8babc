"""A tournament: its content and its identity."""

import hashlib

import msgspec

from ludus.core.seeds import seed_from
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.record import Opening


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

    The identity leaves out `name` and `deterministic`: the specs of the agents that leave nothing to chance in this
    game, None if nobody asked them.
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

    @property
    def identity(self) -> str:
        """A hash of the content, the same for the same content on every machine."""
        plain = msgspec.structs.replace(self, name="", deterministic=None)
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:16]

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
