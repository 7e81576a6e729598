"""The report of a study: one HTML page that opens from a file, without a network; figures for print beside it."""

from thinktime.report.content import Content
from thinktime.report.page import page, write

__all__ = ["Content", "page", "write"]
