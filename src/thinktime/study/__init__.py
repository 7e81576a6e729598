"""Studies: grids of runs, where they are carried out, what is kept of them, and what follows from them."""
