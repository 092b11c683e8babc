"""Scenarios: positions with what counts as success, and how often agents succeed."""
