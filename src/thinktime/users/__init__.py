"""User models decide when each job is submitted. One model per file; the registry finds every file in this folder."""

from thinktime.users.own import OwnUsers
from thinktime.users.user_model import UserModel

__all__ = ["OwnUsers", "UserModel"]
