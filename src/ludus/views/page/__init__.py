"""The report: all results of a tournament on one page that works offline."""
