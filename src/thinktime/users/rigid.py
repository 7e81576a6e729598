"""Users who do not react."""

from thinktime.users.user_model import UserModel


class Rigid(UserModel, name="rigid"):
    """Submits every job at its recorded time."""
