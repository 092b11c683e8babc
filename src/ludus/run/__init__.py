"""Running a tournament: in this process or in worker processes; what was cut off goes on where it stopped."""
