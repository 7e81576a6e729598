"""Users who do not react."""

from thinktime.spec import Spec


class Rigid(Spec, kind="users", name="rigid"):
    """Every job is submitted at its recorded time, whatever became of the jobs before it."""
