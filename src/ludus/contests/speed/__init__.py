"""The contest in spe_ed: the game, its agents, the messages of its servers and clients, its pictures."""
