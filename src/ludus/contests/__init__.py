"""Plugins that bring a contest: its game, agents, server, client, logs, board. Nothing imports them."""
