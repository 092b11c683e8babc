"""Plugins: each brings a game with its agents, server, client and pictures. Nothing imports them."""
