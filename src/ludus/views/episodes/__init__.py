"""Episodes in a browser: what the page knows of one, its film, and the page as one file."""
