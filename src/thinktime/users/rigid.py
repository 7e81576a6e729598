"""Users who do not react."""

from thinktime.users.user_model import UserModel


class Rigid(UserModel, name="rigid"):
    """Every job is submitted at its recorded time, whatever became of the jobs before it."""
