"""The games, one module or folder each."""
