"""Studies: grids of runs, where they are carried out, what is kept of them, and what follows from them."""

from thinktime.study.comparison.compare import compare, compare_table, compare_tables
from thinktime.study.comparison.compared import Comparison
from thinktime.study.execute import execute
from thinktime.study.executors import Threads
from thinktime.study.runner import run_study
from thinktime.study.store import Store, open_store, study_of
from thinktime.study.study import Study, Task

__all__ = [
    "Comparison",
    "Store",
    "Study",
    "Task",
    "Threads",
    "compare",
    "compare_table",
    "compare_tables",
    "execute",
    "open_store",
    "run_study",
    "study_of",
]
