"""Write many solvers into one generated file: choose them, share their steps, and format the text."""
