"""The paranoid search of the course's clients."""

from typing import ClassVar

from ludus.agents.alphabeta import Paranoid
from ludus.agents.reversixt.base import ReversiXtSearch


class ReversiXtParanoid(ReversiXtSearch, Paranoid):
    """Alpha-beta that takes all others for one opponent, but those who can do no harm for now."""

    name: ClassVar[str] = "reversixt.paranoid"
