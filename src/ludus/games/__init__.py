"""The games, one module or folder each, and the interface that every game implements."""
