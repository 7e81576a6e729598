"""The run directory: written whole or not at all, streamed or at once, and checked when it is loaded."""
