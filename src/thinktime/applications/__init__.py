"""Application models: what happens inside a job."""

from thinktime.applications.fixed import Fixed

__all__ = ["Fixed"]
