"""Searches to a depth or a deadline."""
