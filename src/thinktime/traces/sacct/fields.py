"""The fields of `sacct`: what each holds, under which name a workload has it, and what anonymisation does to it.

The table covers Slurm 14 to 25. A field that is not here is kept as text under its own name in snake_case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

#: The column of line numbers in frames of texts; no field can have this name.
LINE = "\0line"

#: What the texts of a field look like.
Kind = Literal[
    "job_id",  # 12, 12_3, 12_[4-7%2], 12+0, 12.batch
    "time",  # 2024-05-01T10:00:00, 1714557600, Unknown, None
    "duration",  # 1-02:03:04, 02:03.456, UNLIMITED
    "minutes",  # 1440, UNLIMITED, Partition_Limit
    "seconds",  # 3600
    "whole",  # 12, 1K
    "number",  # 0.5
    "memory",  # 31000Mn, 3000Mc, 8G, 0
    "tres",  # billing=2,cpu=2,mem=1000M,node=1,gres/gpu:a100=2
    "gres",  # gpu:2, gpu:tesla:2
    "state",  # COMPLETED, CANCELLED by 1000
    "exit_code",  # 0:15
    "name",  # one word: user, account, cluster, …
    "list",  # words with commas: node list, flags, partitions
    "text",  # anything, also delimiters and newlines
]
#: What anonymisation does: keep, hash, hash every node, keep known words, keep known resources, or drop.
Privacy = Literal["keep", "hash", "nodes", "words", "tres", "drop"]


@dataclass(frozen=True)
class Field:
    """A field of sacct. `attribute` is its column in a workload; empty: it only feeds other columns."""

    name: str
    kind: Kind
    privacy: Privacy = "keep"
    attribute: str = ""

    @property
    def absorbs(self) -> int:
        """Preference for holding an unescaped delimiter: 1 most probable; 0 never."""
        if self.kind == "text":
            return _LIKELY_DELIMITERS.get(self.name, 3)
        return 0


_LIKELY_DELIMITERS = {"SubmitLine": 1, "JobName": 1, "Constraints": 1, "WorkDir": 2}


def _fields() -> list[Field]:
    return [
        Field("JobID", "job_id", attribute="job_id"),
        Field("JobIDRaw", "job_id"),
        Field("SLUID", "name", "drop", "sluid"),
        Field("DBIndex", "whole", "drop", "db_index"),
        Field("Cluster", "name", "hash", "cluster"),
        Field("Partition", "list", "hash"),
        Field("QOS", "name", "hash", "qos"),
        Field("QOSRAW", "whole", "drop", "qos_raw"),
        Field("QOSREQ", "list", "hash", "qos_requested"),
        Field("Account", "name", "hash", "account"),
        Field("AssocID", "whole", "drop", "assoc_id"),
        Field("Group", "name", "hash"),
        Field("GID", "whole", "drop", "gid"),
        Field("User", "name", "hash"),
        Field("UID", "whole", "drop", "uid"),
        Field("WCKey", "name", "hash", "wckey"),
        Field("WCKeyID", "whole", "drop", "wckey_id"),
        Field("McsLabel", "name", "hash", "mcs_label"),
        Field("JobName", "text", "hash", "job_name"),
        Field("Submit", "time"),
        Field("Eligible", "time"),
        Field("Start", "time"),
        Field("End", "time"),
        Field("Elapsed", "duration"),
        Field("ElapsedRaw", "seconds"),
        Field("Planned", "duration", attribute="planned_s"),
        Field("Reserved", "duration", attribute="planned_s"),
        Field("PlannedCPU", "duration"),
        Field("PlannedCPURAW", "whole"),
        Field("ResvCPU", "duration"),
        Field("ResvCPURAW", "whole"),
        Field("Suspended", "duration", attribute="suspended_s"),
        Field("Timelimit", "duration"),
        Field("TimelimitRaw", "minutes"),
        Field("CPUTime", "duration"),
        Field("CPUTimeRAW", "whole"),
        Field("TotalCPU", "duration", attribute="total_cpu_s"),
        Field("UserCPU", "duration", attribute="user_cpu_s"),
        Field("SystemCPU", "duration", attribute="system_cpu_s"),
        Field("State", "state", attribute="state"),
        Field("ExitCode", "exit_code", attribute="exit_code"),
        Field("DerivedExitCode", "exit_code", attribute="derived_exit_code"),
        Field("Reason", "name", "words", "reason"),
        Field("Flags", "list", "words", "flags"),
        Field("Priority", "number", attribute="priority"),
        Field("Restarts", "whole", attribute="restarts"),
        Field("NNodes", "whole", attribute="allocated_nodes"),
        Field("AllocNodes", "whole", attribute="allocated_nodes"),
        Field("ReqNodes", "whole", attribute="requested_nodes"),
        Field("NCPUS", "whole"),
        Field("AllocCPUS", "whole"),
        Field("ReqCPUS", "whole"),
        Field("NTasks", "whole", attribute="tasks"),
        Field("ReqMem", "memory"),
        Field("ReqTRES", "tres", "tres", "requested_tres"),
        Field("AllocTRES", "tres", "tres", "allocated_tres"),
        Field("ReqGRES", "gres", "drop", "requested_gres"),
        Field("AllocGRES", "gres", "drop", "allocated_gres"),
        Field("NodeList", "list", "nodes", "node_list"),
        Field("FailedNode", "list", "nodes", "failed_node"),
        Field("Reservation", "name", "hash", "reservation"),
        Field("ReservationId", "whole", "drop", "reservation_id"),
        Field("Dependency", "text", "drop", "dependency"),
        Field("Constraints", "text", "hash", "constraints"),
        Field("Licenses", "list", "drop", "licenses"),
        Field("Layout", "name", "words", "layout"),
        Field("BlockID", "name", "drop", "block_id"),
        Field("SegmentSize", "whole", attribute="segment_size"),
        Field("ConsumedEnergy", "memory"),
        Field("ConsumedEnergyRaw", "number", attribute="energy_j"),
        Field("MaxRSS", "memory"),
        Field("AveRSS", "memory"),
        Field("MaxVMSize", "memory"),
        Field("AveVMSize", "memory"),
        *(Field(name, "text", "drop", snake_case(name)) for name in _FREE_TEXTS),
        *(Field(name, "tres", "drop", snake_case(name)) for name in _USAGE_TRES),
        *(Field(name, "tres", "drop", snake_case(name)) for name in _NODE_TRES),
        *(Field(name, "name", "drop", snake_case(name)) for name in _STEP_WORDS),
    ]


_FREE_TEXTS = (
    *("SubmitLine", "Comment", "AdminComment", "SystemComment", "Extra", "WorkDir", "StdIn", "StdOut", "StdErr"),
    "Container",
)
_USAGE_TRES = tuple(
    f"TRESUsage{way}{what}" for way in ("In", "Out") for what in ("Ave", "Max", "MaxTask", "Min", "MinTask", "Tot")
)
_NODE_TRES = tuple(f"TRESUsage{way}{what}Node" for way in ("In", "Out") for what in ("Max", "Min"))
_STEP_WORDS = (
    *("AveCPU", "AveCPUFreq", "AveDiskRead", "AveDiskWrite", "AvePages", "MinCPU", "MinCPUNode", "MinCPUTask"),
    *("MaxDiskRead", "MaxDiskReadNode", "MaxDiskReadTask", "MaxDiskWrite", "MaxDiskWriteNode", "MaxDiskWriteTask"),
    *("MaxPages", "MaxPagesNode", "MaxPagesTask", "MaxRSSNode", "MaxRSSTask", "MaxVMSizeNode", "MaxVMSizeTask"),
    *("ReqCPUFreq", "ReqCPUFreqMin", "ReqCPUFreqMax", "ReqCPUFreqGov"),
)
_WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_A_LETTER = re.compile(r"[^0-9A-Za-z]+")


def snake_case(name: str) -> str:
    """Return MaxRSSNode as max_rss_node; a name that begins with a digit gets an underscore."""
    words = _NOT_A_LETTER.sub("_", _WORD_BREAK.sub("_", name)).strip("_").lower()
    return f"_{words}" if words[:1].isdigit() else words or "_"


#: name in lower case → field
FIELDS: dict[str, Field] = {field.name.lower(): field for field in _fields()}


def field_of(name: str) -> Field:
    """Return the field of a column of any case, with or without a width (`JobName%40`); unknown ones are text."""
    plain = name.split("%")[0].strip().strip('"').strip()
    return FIELDS.get(plain.lower()) or Field(plain, "text", "drop", snake_case(plain) if plain else "")


def is_known(name: str) -> bool:
    """Return whether this is the name of a field of sacct."""
    return name.split("%")[0].strip().strip('"').strip().lower() in FIELDS
