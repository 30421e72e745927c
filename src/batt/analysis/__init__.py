"""Analyses of graphs: facts about values before a run, and steps of nodes. They change nothing but hints."""
