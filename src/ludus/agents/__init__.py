"""The ways of choosing moves, one module each."""
