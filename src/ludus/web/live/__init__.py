"""Live data: runs and games, while they are being played, as messages for browsers"""
