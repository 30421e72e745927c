"""Image families: short programs from grid to grid that a search applies again and again."""
