"""Outcomes: the number, result and course of many episodes in one row."""

from itertools import groupby

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

_OUTCOME = np.dtype([("number", "<u4"), ("result", "<u4"), ("course", "<i8")])
_AT_ONCE = 10_000  # episodes


def upgrade() -> None:
    """Create the table, and fill it from the episodes that are stored."""
    outcomes = op.create_table(
        "outcomes",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("repetition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("part", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    connection = op.get_bind()
    stored = sa.text(
        "SELECT tournament, repetition, match, number, result, course FROM episodes"
        " ORDER BY tournament, repetition, match, number"
    )
    for piece in connection.execute(stored, execution_options={"stream_results": True}).partitions(_AT_ONCE):
        rows = []
        for (tournament, repetition, match), found in groupby(piece, lambda row: row[:3]):
            part = np.array([row[3:] for row in found], _OUTCOME)
            rows.append(
                {
                    "tournament": tournament,
                    "repetition": repetition,
                    "match": match,
                    "part": int(part["number"][0]),
                    "packed": part.tobytes(),
                }
            )
        connection.execute(outcomes.insert(), rows)
