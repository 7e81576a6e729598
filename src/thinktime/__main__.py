"""`python -m thinktime`: the command line without its installed script."""

import os
import sys


def _forget_current_folder() -> None:
    """Remove the current folder from the import path, so that a module there cannot replace one of ours."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()) and os.getcwd() != package:
        del sys.path[0]


if __name__ == "__main__":
    _forget_current_folder()
    from thinktime.cli import main

    main()
