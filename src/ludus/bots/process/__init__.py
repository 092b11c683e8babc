"""Processes of bots: start, limits, measurement, end."""
