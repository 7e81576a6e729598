"""Sessions, batches and the session graph of a workload's users."""
