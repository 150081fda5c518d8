"""How many of a task's names an encoder was trained on, which every table has to say."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from termexplorer.trainer.text.tokenizer import tokenize


class Exposure:
    """What an encoder has seen before; names of the same tokens are the same."""

    def __init__(self, trained: Iterable[str]) -> None:
        """Take all names that the encoder, and those beneath it, were trained on."""
        self._known = {tuple(tokenize(name)) for name in trained}

    def share(self, names: Collection[str]) -> float:
        """Return the share of names that are among them, from 0 to 1; 0 of no names."""
        seen = sum(tuple(tokenize(name)) in self._known for name in names)
        return seen / max(len(names), 1)
