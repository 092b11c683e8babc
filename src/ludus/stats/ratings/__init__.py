"""Ratings and tests, pure: arrays in, values out."""
