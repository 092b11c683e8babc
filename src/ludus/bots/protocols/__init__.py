"""What is said to bots and how their lines are understood: one module a protocol, without input or output."""
