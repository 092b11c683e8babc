"""The processes of bots: starting them, what they use, and that none of them is left."""
