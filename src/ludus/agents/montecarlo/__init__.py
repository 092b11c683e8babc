"""Agents that judge moves by games played to the end at random."""
