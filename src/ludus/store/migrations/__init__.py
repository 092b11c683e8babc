"""How the tables came to be as they are: one module a version, run in order by Alembic."""
