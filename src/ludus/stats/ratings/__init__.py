"""Ratings and sequential tests: arrays in, values out."""
