"""Numbers shared by rules and records, available without a compiler."""

CHANCE = -1
"""The mover of a chance event."""
MOST_PLAYERS = 8
MOVE_LIMIT = 2**31
"""Exclusive upper limit of the numbers of moves, so that trees need half the space for them."""
