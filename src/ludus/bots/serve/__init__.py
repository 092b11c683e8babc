"""Agents and matches driven by another manager over standard input and output."""
