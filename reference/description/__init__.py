"""The oracle of the measures of a workload: loops over jobs, pairs and blocks, as a paper would say them.

Nothing here is quick; `tests/description` compares the package with it on small random workloads.
"""
