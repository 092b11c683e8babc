"""One episode: its opening, its players, the referee, and the record."""
