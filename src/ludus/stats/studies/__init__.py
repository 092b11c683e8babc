"""Studies over what is stored: how often agents win, and what their parameters are worth."""
