"""Pairs to be judged, drawn and written in a child, so that a window goes on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from termexplorer.files import make_file_stem
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.judge.drawn_pairs import (
    FoundPairs,
    WrittenPairs,
    pairs_of_comparison,
    pairs_of_list,
    pairs_of_suggestions,
    write_pairs,
)
from termexplorer.services.judge.queue import QueuePlan, queue_pairs
from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.compare.comparison import Compared

__all__ = ["FromComparison", "FromList", "FromSuggestions", "PairSource", "WrittenPairs",
           "draw_pairs", "each_of", "place_of_pairs"]  # fmt: skip

_PLACE = "pairs_to_judge"
_LIST, _MENTIONS = 100, 100


@dataclass(frozen=True, slots=True)
class FromList:
    """Pairs within a kept list, at random; `pairs_of_list` says which."""

    title: str
    ontology_id: int
    number: int = _LIST
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class FromComparison:
    """What encoders disagree on; `pairs_of_comparison` says which pairs these are."""

    compared: Compared
    mentions: int = _MENTIONS
    sort: str = "rbo"


@dataclass(frozen=True, slots=True)
class FromSuggestions:
    """What a list of suggestions is about; `pairs_of_suggestions` says which pairs these are."""

    list_id: int
    number: int | None = None


PairSource: TypeAlias = FromList | FromComparison | FromSuggestions | QueuePlan


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    workspace: Path
    source: PairSource
    out: Path


def draw_pairs(
    workspace: Workspace,
    source: PairSource,
    out: Path,
    control: JobControl,
    on_message: Callable[[object], None],
) -> WrittenPairs:
    """Draws pairs and writes them as a file; blocks until it is there, whole or not at all.

    Raises:
        UserError: what the functions of the source and `write_pairs` raise.
        Cancelled: it was cancelled.
    """
    request = _Drawing(workspace.folder, source, out)
    return supervise(_draw_and_write, request, control, on_message)


def place_of_pairs(workspace: Workspace, title: str) -> Path:
    """A file in the workspace that is not there yet, called after what it holds."""
    name = make_file_stem(title) or "pairs"
    folder = workspace.folder / _PLACE
    folder.mkdir(exist_ok=True)
    number = 1
    while (path := folder / f"{name}-{number}.tsv").exists():
        number += 1
    return path


def each_of(written: WrittenPairs) -> int:
    """How many of each kind a study has to ask for to take all pairs of a file."""
    most = max(written.parts.values(), default=written.pairs)
    return (most + 1) // 2


def _draw_and_write(request: _Drawing, channel: Channel) -> WrittenPairs:
    channel.progress(None, tr("Drawing pairs"))
    with closing(Workspace(request.workspace)) as workspace:
        return write_pairs(request.out, _draw_pairs(workspace, request.source, channel))


def _draw_pairs(workspace: Workspace, source: PairSource, channel: Channel) -> FoundPairs:
    if isinstance(source, FromList):
        ontology = find_ontology(workspace, str(source.ontology_id))
        return pairs_of_list(workspace, ontology, source.title, source.number, source.seed)
    if isinstance(source, FromComparison):
        return pairs_of_comparison(workspace, source.compared, source.mentions, source.sort)
    if isinstance(source, FromSuggestions):
        return pairs_of_suggestions(workspace, source.list_id, source.number)
    inner = JobControl()
    channel.on_stop(inner.cancel)  # the encoders are asked by a child of this one
    return queue_pairs(workspace, source, inner, channel.report).pairs
