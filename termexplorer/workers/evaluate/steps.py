"""How far an evaluation is, told to whoever waits; and the end of it when they do not any more."""

import time
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.texts import duration_text, power_text, tr
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.devices import device_name

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import PairsPlan

_ENCODING = 0.5  # of the work for an encoder, where there is much to encode
_PAUSE = 0.2  # seconds between two rows that are told of


class EvaluationSteps:
    """Steps of about the same length, as many for each encoder; names are encoded before them.

    Attributes:
        is_rounded: whether names are compared by vectors of 8 bits in this step.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._text, self._step_text = "", ""
        self.is_rounded = False
        self._encoders, self._steps, self._begun = 0, 0, -1
        self._encoded: float | None = None  # share of the names; None where there are few
        self._rows, self._row, self._said_at = 0, 0, 0.0

    def say(self, text: str, share: float | None = None) -> None:
        """Tells what is done before the first step, and how much of all is done, if that is known.

        Of a known share the time left is told.
        """
        self._channel.progress(share, text)

    def plan(self, encoders: int, steps: int) -> None:
        """Says how many encoders there are, and how many steps for each."""
        self._encoders, self._steps = encoders, steps

    def begin(self, text: str, rows: int = 0) -> None:
        """Ends a step and begins the next.

        Args:
            text: what it does.
            rows: how many texts it compares with names.

        Raises:
            UserError: as `tick`.
        """
        self.tick()
        self._begun, self._text, self._step_text = self._begun + 1, text, text
        self.is_rounded = False
        self._rows, self._row = rows, 0
        if self._begun and self._begun % self._steps == 0:
            self._encoded = None
        self._tell(text)

    def encoding(self, encoded: int, names: int) -> None:
        """Tells how many names are encoded, and of how many.

        Raises:
            UserError: as `tick`.
        """
        self.tick()
        self._encoded = encoded / names
        text = tr("{encoded:,} of {names:,} names encoded", encoded=encoded, names=names)
        self._tell(f"{text}: {self._text}" if self._text else text)

    def announce(self, plan: "PairsPlan") -> None:
        """Tell what comparing all pairs of the step takes.

        Raises:
            UserError: as `tick`.
        """
        self.tick()
        self.is_rounded = True
        text = tr(
            "{operations} operations in {blocks:,} blocks on {device}, about {time}",
            operations=power_text(plan.operations),
            blocks=plan.blocks,
            device=device_name(plan.device),
            time=duration_text(plan.seconds),
        )
        self._text = f"{self._step_text}: {text}" if self._step_text else text
        self._tell(self._text)

    def row(self, rows: int = 1) -> None:
        """Tells now and then how many texts of the step are compared, `rows` more than before.

        Raises:
            UserError: as `tick`.
        """
        self.tick()
        if self._row < self._rows and time.monotonic() > self._said_at + _PAUSE:
            text = tr("{row:,} of {rows:,} texts compared", row=self._row, rows=self._rows)
            self._tell(f"{text}: {self._text}")
        before, self._row = self._row, min(self._row + rows, self._rows)
        if before < self._row == self._rows:
            self._tell(tr("Computing figures: {what}", what=self._text))  # which takes time too

    def tick(self) -> None:
        """Ends the work if that was asked for.

        Raises:
            UserError: it was.
        """
        if self._channel.stopped():
            raise UserError(tr("stopped before it was done; nothing was kept"))

    def _tell(self, text: str) -> None:
        self._said_at = time.monotonic()
        self._channel.progress(self._fraction() if self._steps else None, text)

    def _fraction(self) -> float:
        encoder, step = divmod(max(self._begun, 0), self._steps)
        share = (step + self._row / max(self._rows, 1)) / self._steps
        if self._encoded is not None:
            encoded = 1 if step else self._encoded
            share = _ENCODING * encoded + (1 - _ENCODING) * share
        return (encoder + share) / self._encoders
