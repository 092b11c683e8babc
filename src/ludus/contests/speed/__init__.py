"""The contest in spe_ed: the game, its agents, messages, logs and board."""
