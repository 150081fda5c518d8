"""Mappings of SSSOM files that were made elsewhere: how they are shown, and who curated them."""

from collections.abc import Mapping
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.sssom.sssom import values
from termexplorer.importers.text.dates import convert_to_utc
from termexplorer.services.curate.review_slots import curated
from termexplorer.services.files.exports import Cell
from termexplorer.services.verdicts.people import read_orcid
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.store.judging.verdicts import Answer, Judge

FILE_HEADER = (
    "concept", "name", "predicate", "negated", "other concept", "other name", "justification",
    "confidence", "comment",
)  # fmt: skip
_ROW = "slots"  # of a verdict's details: the mapping that it stands for, as it was


def file_cells(suggested: Suggestion) -> list[Cell]:
    """What is shown of a mapping, under `FILE_HEADER`.

    The predicate is the one that is asked about; that a file denies it stands apart, since “Not”
    beside the answer “wrong” would read as a double negative.
    """
    about, slots = suggested.about, suggested.slots
    negated = "yes" if slots.get("predicate_modifier") == "Not" else ""
    texts = (slots.get(slot, "") for slot in ("mapping_justification", "comment"))
    justification, comment = texts
    return [
        about.subject, slots.get("subject_label", ""), about.question, negated,
        about.object, slots.get("object_label", ""), justification,
        _number_or_text(slots.get("confidence", "")), comment,
    ]  # fmt: skip


def foreign_verdicts(
    slots: Mapping[str, str], head: Mapping[str, Any]
) -> list[tuple[Judge, Answer]]:
    """One verdict of each author of a mapping that was curated by hand; none of others.

    Args:
        slots: of the mapping.
        head: of its set; its date counts where the mapping has none.
    """
    if not curated(slots):
        return []
    verdict = "wrong" if slots.get("predicate_modifier") == "Not" else "correct"
    day = slots.get("mapping_date") or str(head.get("mapping_date", ""))
    day = convert_to_utc(day) if day else ""
    answer = Answer(verdict, slots.get("comment", ""), day, day, details={_ROW: dict(slots)})
    return [(judge, answer) for judge in dict.fromkeys(_list_authors(slots))]


def stands_for(answer: Answer, slots: Mapping[str, str]) -> bool:
    """Whether an answer is what a mapping of a file says, whose date may be that of its set."""
    row = answer.details.get(_ROW)
    return row is not None and {**row, "mapping_date": ""} == {**slots, "mapping_date": ""}


def _list_authors(slots: Mapping[str, str]) -> list[Judge]:
    ids, labels = (values(slots.get(f"author_{part}", "")) for part in ("id", "label"))
    if not ids:
        return [Judge(label) for label in labels]
    if len(labels) != len(ids):  # which is whose, nobody can tell
        labels = ids
    return [
        Judge(label, _read_orcid_curie(curie)) for label, curie in zip(labels, ids, strict=True)
    ]


def _read_orcid_curie(curie: str) -> str:
    prefix, _, rest = curie.partition(":")
    try:
        return read_orcid(rest) if prefix.lower() == "orcid" else ""
    except UserError:
        return ""


def _number_or_text(text: str) -> Cell:
    try:
        return float(text)
    except ValueError:
        return text or None
