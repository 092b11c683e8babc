"""Agents that play only spe_ed."""
