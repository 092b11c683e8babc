"""Every store test runs over both databases."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.schema import CreateSchema

from ludus.store import Store, open_store
from ludus.store.connect import location
from support.postgresql import binaries, server, temporary_folder


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a PostgreSQL server that runs for this session."""
    if binaries() is None:
        pytest.skip("the PostgreSQL server is not installed")
    with temporary_folder() as folder, server(folder) as url:
        yield url


@pytest.fixture
def postgresql_url(postgresql_server: str) -> str:
    """An empty schema of that server."""
    name = f"ludus_{uuid.uuid4().hex}"
    engine = create_engine(location(postgresql_server))
    with engine.begin() as connection:
        connection.execute(CreateSchema(name))
    engine.dispose()
    return f"{postgresql_server}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "ludus.db")
    return str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store in each kind of database."""
    with open_store(url) as opened:
        yield opened
