"""The words of `--json`: what a key is called wherever a command says it."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

FIELD_WORDS: Mapping[str, str] = {
    "concept_id": "",
    "created_at": "made_at",
    "curie": "concept",
    "encoder_id": "encoder",
    "first_id": "encoder",
    "input_id": "vectors",
    "list_id": "list",
    "name_id": "",
    "new_id": "",
    "old_id": "",
    "ontology_id": "ontology",
    "release_id": "ontology",
    "run_id": "run",
    "second_id": "other_encoder",
    "split_id": "split",
    "study_id": "study",
    "vectors_id": "vectors",
}
"""Fields of our records, and the word of `WORDS` that each is; "" for rows of the store."""
WORDS: Mapping[str, str] = {
    "annotator": "The name of who judges.",
    "class": "The concept and name of a class of a level.",
    "code": "The code of a concept, without the prefix of its terminology.",
    "concept": "A concept: its CURIE.",
    "concept_name": "The name that stands for `concept`, where `name` is another one of it.",
    "data": "What figures are of, in words.",
    "encoder": "An encoder: its id.",
    "encoder_title": "What people call `encoder`, in the file of a table.",
    "evaluation": "A kept evaluation: its id.",
    "file": "A file that was written or read: its path.",
    "folder": "A folder that was written: its path.",
    "high": "The upper end of the 95 % interval of `value`.",
    "label": "Of a pair: 1 or `similar`, 0 or `dissimilar`, or a rating.",
    "level": "A level of a hierarchy, 1 the highest.",
    "list": "A kept list of suggestions: its id.",
    "low": "The lower end of the 95 % interval of `value`.",
    "made_at": "When it was made: ISO 8601, in UTC.",
    "map": "A kept map: its id.",
    "metric": "What a figure is, in small letters: `map`, `mrr`, `auc`.",
    "n": "How many items a figure is of.",
    "name": "A name of a concept, as text.",
    "ontology": "An ontology, which is one release of a terminology: its id.",
    "ontology_title": "What people call `ontology`, where it has no id.",
    "other_concept": "The concept that is suggested for `concept`, or may be the same.",
    "other_encoder": "What `encoder` is compared with: an id.",
    "other_name": "The name that stands for `other_concept`.",
    "pair": "A pair of a study: its number there.",
    "probability": "That something is so, as it came out in trials; 0 to 1.",
    "query": "The text that names are ranked against.",
    "rank": "The place in a ranking, 1 the nearest.",
    "reason": "Why something is left out, refused or damaged.",
    "run": "A training run: its id.",
    "set": "The name of a pair set.",
    "similarity": "How near two names are by an encoder; 1 for equal vectors.",
    "split": "Names that are held out: the id of the split.",
    "study": "A study: its id.",
    "task": "What is measured: `ranking`, `hypernyms`, `synonyms`, `pairs`, …",
    "terminology": "What an ontology is a release of: its short name.",
    "terms": "The two texts of a pair.",
    "title": "What people call it: an ontology, encoder, run, map, list, study.",
    "value": "The value of a figure; null where it is undefined.",
    "vectors": "The encoder that another one is trained on: its id.",
}
"""What commands have in common; what one command alone says is told in its help."""
SYNONYMS = frozenset(
    {
        "beside",
        "better",
        "better_label",
        "better_name",
        "copy",
        "id",
        "mention",
        "number",
        "object_name",
        "out",
        "part_ids",
        "second",
        "text",
        "why",
    }
    | FIELD_WORDS.keys()
)
"""Keys that no command says, as `WORDS` has another one for the same."""


def name_fields(record: Any, **words: str) -> dict[str, Any]:
    """Return a record for JSON, and all records in it, with their fields by `FIELD_WORDS`.

    Args:
        record: a dataclass.
        words: what its own fields are called where that is different; "" leaves one out.
    """
    named = {}
    for field in fields(record):
        word = words.get(field.name, FIELD_WORDS.get(field.name, field.name))
        if word:
            named[word] = _make_plain(getattr(record, field.name))
    return named


def rename_keys(document: Any) -> Any:
    """Return what the store keeps as JSON, its keys by `FIELD_WORDS`, however deep they are."""
    if isinstance(document, Mapping):
        renamed = {FIELD_WORDS.get(key, key): rename_keys(value) for key, value in document.items()}
        return {key: value for key, value in renamed.items() if key}
    return (
        [rename_keys(item) for item in document] if isinstance(document, list | tuple) else document
    )


def _make_plain(value: Any) -> Any:
    """Return a value of a record for JSON; keys of mappings are data, and stay as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return name_fields(value)
    if isinstance(value, Mapping):
        return {key: _make_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_make_plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value
