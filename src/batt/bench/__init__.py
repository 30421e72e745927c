"""Measure engines side by side on the same evaluations."""
