"""The data of a tournament as JSON."""

from datetime import datetime
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from ludus.views.facts import facts, planned
from ludus.views.page.head import lead
from ludus.views.page.sections import MOST_AGENTS, MOST_IN_NASH, MOST_RECORDS, MOST_ROWS
from ludus.views.result_tables import TABLES, ResultTable
from ludus.web.held import HeldResults


class AgentData(BaseModel):
    """An agent of a tournament."""

    name: str
    spec: str


class TournamentData(BaseModel):
    """A tournament and its results."""

    model_config = ConfigDict(ser_json_inf_nan="null")

    id: int
    name: str
    game: str
    format: str
    created: datetime
    finished: datetime | None
    episodes: int = Field(description="stored so far")
    planned: int | None = Field(description="in the end, or the most that there can be; null if it is not known")
    agents: list[AgentData]
    lead: list[str] = Field(description="the result in sentences")
    facts: dict[str, str] = Field(description="content, time and conditions in words")
    tables: dict[str, list[dict[str, Any]]] = Field(
        description="the tables of the page by name, with times in nanoseconds"
    )
    cut: list[str] = Field(description="tables of which only the first rows are here")
    left_out: list[str] = Field(description="tables that are too large, which 'ludus results ID --json' has")


def tournament_data(held: HeldResults) -> TournamentData:
    """Everything on the page of a tournament."""
    with held.lock:
        results = held.results
        summary, tables = results.summary, {}
        left_out: list[str] = []
        cut: list[str] = []
        for name, declared in TABLES.items():
            if not held.stamp.episodes or not declared.suits(results):
                continue
            if _is_too_large(declared, held.stamp.episodes, len(results.agents)):
                left_out.append(name)
                continue
            frame = declared.frame(results)
            most = MOST_AGENTS**2 if declared.small_fields else MOST_ROWS
            if len(frame) > most:
                cut.append(name)
            rows = frame.head(most)
            tables[name] = msgspec.to_builtins(rows.to_dicts(), builtin_types=[datetime])
        return TournamentData(
            id=held.results.id,
            name=summary.name,
            game=summary.game,
            format=summary.format,
            created=summary.created,
            finished=summary.finished,
            episodes=held.stamp.episodes,
            planned=planned(results),
            agents=[AgentData(name=agent.name, spec=agent.spec) for agent in results.tournament.agents],
            lead=[sentence.striptags() for sentence in lead(results)] if held.stamp.episodes else [],
            facts=dict(facts(results)) if held.stamp.episodes else {},
            tables=tables,
            cut=cut,
            left_out=left_out,
        )


def _is_too_large(declared: ResultTable, episodes: int, agents: int) -> bool:
    """True for the tables that the page leaves out too."""
    if declared.from_records:
        return episodes > MOST_RECORDS
    return agents > (MOST_AGENTS if declared.small_fields else MOST_IN_NASH if declared.on_request else agents)
