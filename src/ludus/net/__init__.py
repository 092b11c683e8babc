"""Game servers and clients over sockets, for any game."""
