"""The Python API: its functions, and how their results look in a notebook."""
