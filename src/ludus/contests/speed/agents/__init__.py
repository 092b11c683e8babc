"""Agents for spe_ed alone."""
