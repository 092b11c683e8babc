"""`ludus check`: numbered steps that say what is wrong and how to fix it."""
