"""User models decide when each job is submitted."""

from thinktime.users.adjusted import Adjusted
from thinktime.users.distribution_based import DistributionBased
from thinktime.users.fluid import Fluid
from thinktime.users.own import OwnUsers
from thinktime.users.rigid import Rigid
from thinktime.users.session_replay import SessionReplay
from thinktime.users.user_model import UserModel

__all__ = ["Adjusted", "DistributionBased", "Fluid", "OwnUsers", "Rigid", "SessionReplay", "UserModel"]
