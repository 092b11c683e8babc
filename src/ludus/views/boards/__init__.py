"""Positions as pictures."""
