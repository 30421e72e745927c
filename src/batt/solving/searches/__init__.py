"""Searches: the stages of one, and many over processes, machines and kills."""
