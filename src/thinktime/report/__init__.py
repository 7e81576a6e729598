"""The report of a study: one HTML page that needs no network, and figures for print."""

from thinktime.report.content import Content
from thinktime.report.page import page, write

__all__ = ["Content", "page", "write"]
