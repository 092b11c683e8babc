"""Tournaments: content, file, field of agents."""
