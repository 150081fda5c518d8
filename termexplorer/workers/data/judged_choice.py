"""Judged pairs as they were when a run was asked for, so that it can be done again."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

TASK = "judged pairs"  # of figures on held-out ones; and their parts: "judged pairs, random"


class JudgedPair(NamedTuple):
    """A pair and what people said of it.

    Attributes:
        left: a term.
        right: the other.
        similar: whether they are.
        drawn: the part of a queue that it is from; empty where there was none.
    """

    left: str
    right: str
    similar: bool
    drawn: str = ""


@dataclass(frozen=True, slots=True)
class JudgedChoice:
    """Judged pairs that a run learns from.

    Attributes:
        source: the study or the file, for people.
        pairs: each once, whatever comes first in it and in whatever case.
        left_out: how many others there were, by reason.
        study: the key of the study; empty for a file.
    """

    source: str
    pairs: tuple[JudgedPair, ...]
    left_out: Mapping[str, int]
    study: str = ""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "JudgedChoice | None":
        """From what a run keeps of it; None for a run that learns from something else."""
        stored = values.get("judged")
        if not stored:
            return None
        return cls(**{**stored, "pairs": tuple(JudgedPair(*pair) for pair in stored["pairs"])})

    @property
    def digest(self) -> str:
        """SHA-256 of pairs and verdicts."""
        return hashlib.sha256(json.dumps(self.pairs).encode()).hexdigest()
