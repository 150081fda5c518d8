"""What came of a run so far, epoch by epoch: the points of its curves."""

from collections.abc import Iterable

from termexplorer.services.train.runs import EpochInfo


class EpochCurves:
    """Points of the loss parts and of the validation.

    An epoch that comes again, of a run that went on, takes the place of itself and all after it.
    """

    def __init__(self, epochs: Iterable[EpochInfo] = ()) -> None:
        self._epochs = {epoch.number: epoch for epoch in epochs}

    def add(self, epoch: EpochInfo) -> None:
        """Takes one more epoch."""
        before = {n: curve_point for n, curve_point in self._epochs.items() if n < epoch.number}
        self._epochs = before | {epoch.number: epoch}

    def __len__(self) -> int:
        return len(self._epochs)

    def numbers(self) -> list[int]:
        """The epochs, in their order."""
        return sorted(self._epochs)

    def parts(self) -> list[str]:
        """What the loss is made of."""
        return list(dict.fromkeys(name for e in self._epochs.values() for name in e.losses))

    def losses(self, part: str) -> list[float]:
        """A part of the loss at each epoch."""
        return [self._epochs[n].losses.get(part, float("nan")) for n in self.numbers()]

    def total(self) -> list[float]:
        """The sum of the parts at each epoch."""
        return [sum(self._epochs[n].losses.values()) for n in self.numbers()]

    def validation(self) -> list[float]:
        """The validation at each epoch."""
        return [self._epochs[n].validation for n in self.numbers()]
