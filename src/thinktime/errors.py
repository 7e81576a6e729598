"""What goes wrong, said in one sentence: the value, the rule, the next step."""


class InputError(ValueError):
    """The user's input breaks a rule. The command line prints it and exits with code 2."""
