"""The progress bar of a command that takes long, on stderr, for whoever looks at a terminal."""

import sys

import click


class ProgressBar:
    """A progress bar whose length is known only when the work begins."""

    def __init__(self, label: str) -> None:
        self._bar = click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())

    def begin(self, total: int) -> None:
        """Draws the progress bar for so many steps."""
        self._bar.length = total
        self._bar.render_progress()

    def tell(self, number: int) -> None:
        """Moves the progress bar on by so many steps."""
        self._bar.update(number)

    def close(self) -> None:
        """Ends the line of the progress bar."""
        self._bar.render_finish()
