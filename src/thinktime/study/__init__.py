"""Studies: grids of runs, and what can be concluded from them."""
