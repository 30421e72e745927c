"""The page of a run: a file that holds all of it, or the same page live while it runs."""
