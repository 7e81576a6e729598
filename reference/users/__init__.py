"""User models: when is each job submitted? Start with `rigid.py`, which also says what a model must answer."""

from reference.users.rigid import Rigid, Users
from reference.users.session_replay import SessionReplay

__all__ = ["Rigid", "SessionReplay", "Users"]
