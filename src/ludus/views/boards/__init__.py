"""Positions as pictures, and episodes as videos."""
