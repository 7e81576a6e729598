"""Checks for policies and plugins of your own: a workload with every difficulty, every rule, and what must hold."""

from thinktime.testing.plugins import check_plugin
from thinktime.testing.policies import check_allocator, check_scheduler
from thinktime.testing.user_models import check_user_model

__all__ = ["check_allocator", "check_plugin", "check_scheduler", "check_user_model"]
