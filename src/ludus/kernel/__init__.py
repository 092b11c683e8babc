"""Compiled functions: rules found by the type of the state, random numbers, deadlines."""
