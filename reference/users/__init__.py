"""User models: when is each job submitted? Start with `rigid.py`, which also says what a model must answer."""

from reference.users.adjusted import Adjusted
from reference.users.distribution_based import DistributionBased
from reference.users.fluid import Fluid
from reference.users.rigid import Rigid, Users
from reference.users.session_replay import SessionReplay

__all__ = ["Adjusted", "DistributionBased", "Fluid", "Rigid", "SessionReplay", "Users"]
