"""Small lists of suggestions and verdicts on them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from termexplorer.exporters.tables import Cell
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, give_verdict
from termexplorer.store.judging import suggestions
from termexplorer.store.judging.suggestions import ListHead, Suggestion
from termexplorer.workspace import Workspace

ANNA, BEN = Judge("Anna Berg", "0000-0002-1825-0097"), Judge("Ben")
DAY = "2026-03-01T10:00:00.000+00:00"
SEMANTIC = "semapv:SemanticSimilarityThresholdMatching"


def suggested(
    subject: str,
    object_: str,
    predicate: str = "skos:broadMatch",
    term: str = "",
    cells: Sequence[Cell] = (),
    **slots: str,
) -> Suggestion:
    """A suggestion of a finder."""
    return Suggestion(
        VerdictSubject(predicate, subject, object_, term),
        list(cells),
        {"mapping_justification": SEMANTIC, **slots},
    )


def keep(
    workspace: Workspace,
    rows: Sequence[Suggestion],
    header: Sequence[str] = (),
    releases: tuple[int | None, int | None] = (1, 1),
    **head: Any,
) -> int:
    """Keeps a list."""
    list_head = ListHead(
        "misplaced", "A list", *releases, head.get("encoders", []), {}, list(header),
        head.get("facts", []), {}, DAY,
    )  # fmt: skip
    with workspace.store.writing() as connection:
        return suggestions.keep(connection, list_head, rows).list_id


def say(
    workspace: Workspace, who: Judge, suggestion: Suggestion, answer: str, note: str = ""
) -> None:
    """Gives a verdict."""
    give_verdict(
        workspace, who, suggestion.about, Answer(answer, note, DAY, DAY, "hash", {"a": 1.5})
    )


def written(workspace: Workspace, path: Path, list_id: int) -> list[str]:
    """The lines of a list as a file, without its head."""
    write_review(workspace, path, list_id)
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
