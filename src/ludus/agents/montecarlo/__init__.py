"""Agents that play games to the end at random."""
