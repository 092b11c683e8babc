"""Ways of choosing moves, without processes or files."""
