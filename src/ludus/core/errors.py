"""The one exception whose text is meant for the user."""


class LudusError(Exception):
    """Something the user can mend: one sentence that says what, where and what to do."""
