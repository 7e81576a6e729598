"""Traces that other tools open: what every core of a run did, as OTF2, Perfetto's JSON, Paje, CSV or Parquet."""

from thinktime.tracing.events import Block, Host, Trace
from thinktime.tracing.write import FORMATS, Written, trace_of, write_trace

__all__ = ["FORMATS", "Block", "Host", "Trace", "Written", "trace_of", "write_trace"]
