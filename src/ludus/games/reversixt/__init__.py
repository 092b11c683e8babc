"""ReversiXT: Reversi on any map, with 2 to 8 players, special fields, transitions and bombs."""
