"""Running a tournament: this process or worker processes."""
