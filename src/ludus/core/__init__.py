"""Foundations that know nothing about games: errors, paths, specs, words, the registry."""
