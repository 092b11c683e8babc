"""What other managers drive over standard input and output: agents as bots, one module a protocol, and a match."""
