"""Figures of one run or of several runs."""
