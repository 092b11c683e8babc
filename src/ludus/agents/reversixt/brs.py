"""The best-reply search of the course's clients."""

from typing import ClassVar

from ludus.agents.brs import BestReply
from ludus.agents.reversixt.base import ReversiXtSearch


class ReversiXtBestReply(ReversiXtSearch, BestReply):
    """Best-reply search in which those who stand aside play their most promising move: BRS+."""

    name: ClassVar[str] = "reversixt.brs"
