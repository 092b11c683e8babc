"""All agents of the store, and each of them."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from ludus.web.agents import Career, Roster
from ludus.web.rendering import page

router = APIRouter()
Name = Annotated[str, Path(max_length=1000, description="the name or the spec of an agent")]


@router.get("/agents", include_in_schema=False)
def show_agents(request: Request) -> Response:
    """Show all agents."""
    return page(request, "agents.html", "Agents", sections=_roster(request).sections)


@router.get("/api/agents", tags=["agents"])
def agents(request: Request) -> dict[str, Any]:
    """All agents, and their ratings by game."""
    return _roster(request).as_json()


@router.get("/agents/{name:path}", include_in_schema=False)
def show_agent(request: Request, name: Name) -> Response:
    """Show an agent."""
    json = f"/api/agents/{quote(name, safe='')}"
    return page(request, "agent.html", name, json=json, found=_career(request, name))


@router.get("/api/agents/{name:path}", tags=["agents"])
def agent(request: Request, name: Name) -> dict[str, Any]:
    """An agent over all tournaments: standings, ratings, opponents, relatives."""
    return _career(request, name).as_json()


def _roster(request: Request) -> Roster:
    found: Roster = request.app.state.site.rosters.get("")
    found.ready.wait()
    return found


def _career(request: Request, name: str) -> Career:
    _roster(request)  # first, because a career needs it
    found: Career = request.app.state.site.careers.get(name)
    found.ready.wait()
    if found.error is not None:
        raise found.error
    return found
