"""Numbers that rules and records share, known without a compiler."""

CHANCE = -1
"""The mover where the dice decide."""
MOST_PLAYERS = 8
MOVE_LIMIT = 2**31
"""Moves are numbered from 0 to below this, so that trees keep them in half the space."""
