"""Write the task events of a run for other tools: OTF2, Perfetto JSON, Paje, CSV or Parquet."""

from thinktime.tracing.events import Block, Host, Trace
from thinktime.tracing.write import FORMATS, Written, trace_of, write_trace

__all__ = ["FORMATS", "Block", "Host", "Trace", "Written", "trace_of", "write_trace"]
