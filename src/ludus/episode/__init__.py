"""One episode: its opening, its players, the referee, the record."""
