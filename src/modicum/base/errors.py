"""The one error that a person is meant to read."""


class ModicumError(Exception):
    """Something the caller cannot go on from: what is wrong, and what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message
