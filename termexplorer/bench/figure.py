"""A measured figure beside the limit or peer that was measured in the same run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class BenchContext:
    """What a bench is given.

    Attributes:
        quick: fewer repetitions and samples.
        data: a folder of open data (``benchmarks``, ``ontologies``, ``text``), and of prepared
            name vectors (``vectors``); None where there is none.
        folder: for what the benches make; what one has made there, others use.
        transformer: the folder of a sentence transformer to compare with; None where none is given.
    """

    quick: bool
    data: Path | None
    folder: Path
    transformer: Path | None = None


@dataclass(frozen=True)
class BenchFigure:
    """One row of the table.

    Attributes:
        name: what was measured.
        value: the result.
        unit: of ``value`` and ``peer_value``.
        peer_name: the limit or peer measured beside it, "" for none.
        peer_value: its result.
        ratio: what the goal is about, mostly ``value`` to ``peer_value``.
        goal: what the ratio or value should be, in words.
        ok: whether it is; None where it could not be measured here, which ``goal`` then says.
        details: what the report has besides, by name.
    """

    name: str
    value: float | None
    unit: str
    peer_name: str
    peer_value: float | None
    ratio: float | None
    goal: str
    ok: bool | None
    details: Mapping[str, object] = field(default_factory=dict)


def not_measured(name: str, why: str) -> BenchFigure:
    """Return a row that says why there is no figure here."""
    return BenchFigure(name, None, "", "", None, None, why, None)
