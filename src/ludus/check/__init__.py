"""`ludus check`: numbered steps that name what is wrong and how to fix it."""
