"""Units of time in seconds, and the times that float64 holds exactly."""

MINUTE_S, HOUR_S, DAY_S, WEEK_S = 60.0, 3600.0, 86400.0, 604800.0
MONDAY_S = 4 * DAY_S  # 1970-01-05 00:00 was the first Monday after second 0
LATEST_S = 2.0**53  # up to here float64 holds whole seconds exactly
