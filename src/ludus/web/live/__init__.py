"""Live data: what is being played, as messages for browsers"""
