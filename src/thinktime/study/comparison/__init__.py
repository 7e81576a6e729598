"""Comparisons of configurations: paired differences, verdicts, and the sentences and tables that state them."""
