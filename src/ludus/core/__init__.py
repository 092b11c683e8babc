"""Foundations: errors, paths, specs, words, and the registry. They know nothing about games."""
