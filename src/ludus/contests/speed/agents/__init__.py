"""The agents of spe_ed alone, one module each."""
