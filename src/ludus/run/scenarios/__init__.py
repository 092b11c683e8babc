"""Scenarios: positions with a known answer, and how often agents find it."""
