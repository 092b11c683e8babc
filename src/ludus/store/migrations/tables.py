"""The tables since version 0.1.0, from before the first release; revision 1 existed only in development."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = None


def _key(*names: str) -> list["sa.Column[int]"]:
    return [sa.Column(name, sa.Integer, primary_key=True, autoincrement=False) for name in names]


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("identity", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("versions", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sittings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tournament", sa.Integer, nullable=False, index=True),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("workers", sa.Integer, nullable=False),
        sa.Column("cores", sa.Integer, nullable=False),
        sa.Column("timed", sa.Boolean, nullable=False),
        sa.Column("ludus", sa.Text, nullable=False),
    )
    op.create_table(
        "matches",
        *_key("tournament", "repetition", "match"),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        *_key("tournament", "result"),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("ending", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.UniqueConstraint("tournament", "scores", "ending", "by", name="different_results"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "episodes",
        *_key("tournament", "repetition", "match", "number"),
        sa.Column("played", sa.BigInteger, nullable=False),
        sa.Column("wall", sa.BigInteger, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("result", sa.Integer, nullable=False),
        sa.Column("course", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("courses", "episodes", ["tournament", "repetition", "match", "course"])
    op.create_table(
        "outcomes",
        *_key("tournament", "repetition", "match", "part"),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "records",
        *_key("tournament", "repetition", "match", "number"),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "tallies",
        *_key("tournament", "repetition", "match", "result"),
        sa.Column("episodes", sa.Integer, nullable=False),
        sa.Column("fresh", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "timings",
        *_key("tournament", "repetition", "match", "seat"),
        sa.Column("moves", sa.BigInteger, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("fastest", sa.BigInteger, nullable=False),
        sa.Column("slowest", sa.BigInteger, nullable=False),
        sa.Column("faults", sa.BigInteger, nullable=False),
        sa.Column("histogram", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
