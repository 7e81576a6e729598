"""Checks for policies, plugins and readers of your own: every difficulty, every rule, and what must hold."""

from thinktime.testing.plugins import check_plugin
from thinktime.testing.policies import check_allocator, check_scheduler
from thinktime.testing.readers import check_reader
from thinktime.testing.techniques import check_technique
from thinktime.testing.user_models import check_user_model

__all__ = [
    "check_allocator",
    "check_plugin",
    "check_reader",
    "check_scheduler",
    "check_technique",
    "check_user_model",
]
