"""What follows from a stored tournament."""
