"""The report of a study: one HTML page that opens from a file, without a network."""

from thinktime.report.page import page, write

__all__ = ["page", "write"]
