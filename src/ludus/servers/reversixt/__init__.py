"""Games of ReversiXT over TCP: a server that clients of the course join, and joining such servers."""
