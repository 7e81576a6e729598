"""User models decide when each job is submitted."""

from thinktime.users.rigid import Rigid

__all__ = ["Rigid"]
