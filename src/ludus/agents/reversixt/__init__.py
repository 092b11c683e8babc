"""Agents of ReversiXT, one module a way of choosing moves."""
