"""Searches to a depth."""
