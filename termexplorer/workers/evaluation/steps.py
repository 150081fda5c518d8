"""How far an evaluation is, told to whoever waits; and the end of it when they do not any more."""

from termexplorer.errors import UserError
from termexplorer.workers.child import Channel

_ENCODING = 0.5  # of a step, where there is much to encode


class Steps:
    """Steps of about the same length; how many is told as soon as it is known."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._text = ""
        self._planned, self._done = 0, -1

    def say(self, text: str) -> None:
        """Tells what is done before the first step."""
        self._channel.progress(None, text)

    def plan(self, steps: int) -> None:
        """Says how many there are."""
        self._planned = steps

    def begin(self, text: str) -> None:
        """Ends a step and begins the next."""
        self.tick()
        self._done, self._text = self._done + 1, text
        self._tell(0, text)

    def encoding(self, encoded: int, names: int) -> None:
        """Tells how many names are encoded, and of how many.

        Raises:
            UserError: as `tick`.
        """
        self.tick()
        text = f"{encoded:,} of {names:,} names encoded"
        within = f"{self._text}: {text}" if self._text else text
        self._tell(_ENCODING * encoded / names, within)

    def tick(self) -> None:
        """Ends the work if that was asked for.

        Raises:
            UserError: it was.
        """
        if self._channel.stopped():
            raise UserError("stopped before it was done; nothing was kept")

    def _tell(self, share: float, text: str) -> None:
        fraction = (self._done + share) / self._planned if self._planned else None
        self._channel.progress(fraction, text)
