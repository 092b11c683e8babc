"""Services by the protocol that the manager speaks."""

from enum import StrEnum

from ludus.agents.agent import Agent
from ludus.bots.serve.gomocup_service import GomocupService
from ludus.bots.serve.service import Service
from ludus.bots.serve.stdio_service import StdioService
from ludus.bots.serve.uci_service import UciService
from ludus.core.errors import InvalidError


class Protocol(StrEnum):
    """The manager's protocol."""

    STDIO = "stdio"
    GOMOCUP = "gomocup"
    UCI = "uci"


def service_for(protocol: Protocol, agent: Agent, game: str | None, *, metrics: bool = False) -> Service:
    """The service that lets an agent play; game and metrics belong to stdio, the one protocol for all games."""
    if protocol is Protocol.STDIO:
        return StdioService(agent, game, metrics=metrics)
    if game is not None:
        raise InvalidError(f"--game belongs to stdio: {protocol} has one game only.")
    if metrics:
        raise InvalidError(f"--metrics belongs to stdio: {protocol} always reports them.")
    return GomocupService(agent) if protocol is Protocol.GOMOCUP else UciService(agent)
