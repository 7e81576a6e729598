"""Figures of the tasks and cores inside jobs."""
