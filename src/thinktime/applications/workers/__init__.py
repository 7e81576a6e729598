"""Programs that play jobs in other simulators. They are started as processes, and import nothing of thinktime."""
