"""Whoever sits at the board: one module a way of reaching them, with its driver."""
