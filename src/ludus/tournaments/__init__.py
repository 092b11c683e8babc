"""What a tournament is, and its file."""
