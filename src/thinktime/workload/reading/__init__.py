"""From the fields of a log to the jobs of a workload: filters, conditions, repairs and the reader's account."""
