"""Charts, each declared once, as Altair charts."""
