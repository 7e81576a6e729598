"""A result in other formats: CSV, SWF, Batsim, AccaSim; a workload as Parquet."""
