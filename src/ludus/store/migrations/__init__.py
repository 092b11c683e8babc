"""Versions of the tables, one module each, run in order by Alembic."""
