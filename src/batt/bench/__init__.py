"""Engines side by side on the same evaluations: cases fixed beforehand, measuring, and what is told."""
