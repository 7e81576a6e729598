"""Jobs as the log recorded them."""

from thinktime.spec import Spec


class Fixed(Spec, kind="application", name="fixed"):
    """A job runs for its recorded run time, divided by the machine's speed."""
