"""Many episodes: workers, tournaments, comparisons, sweeps, scenarios."""
