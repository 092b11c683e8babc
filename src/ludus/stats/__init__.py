"""What follows from stored episodes: ratings, tables, results, studies."""
