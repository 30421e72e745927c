"""What is known about the values of a graph before it runs, and what its nodes cost. Changes no graph but its hints."""
