"""Answers: chosen by evidence from all candidates, verified, named, kept together and drawn."""
