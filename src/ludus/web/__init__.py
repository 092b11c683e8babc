"""The site: watch, replay and study everything in a store, in a browser."""
