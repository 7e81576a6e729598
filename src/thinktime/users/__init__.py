"""User models decide when each job is submitted."""

from thinktime.users.rigid import Rigid
from thinktime.users.session_replay import SessionReplay
from thinktime.users.user_model import UserModel

__all__ = ["Rigid", "SessionReplay", "UserModel"]
