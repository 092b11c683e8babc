"""The results of a tournament as one page that needs nothing but itself."""
