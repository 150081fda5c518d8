"""Mappings in the SSSOM/TSV form (Matentzoglu et al. 2022, https://mapping-commons.github.io/sssom/)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from termexplorer.exporters.exact_tsv import write_exact_tsv
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write
from termexplorer.formulas import ESCAPE_NOTE, escape_formula, is_formula

SLOTS = (
    "record_id", "subject_id", "subject_label", "subject_category", "predicate_id",
    "predicate_label", "predicate_modifier", "object_id", "object_label", "object_category",
    "mapping_justification", "author_id", "author_label", "reviewer_id", "reviewer_label",
    "creator_id", "creator_label", "license", "subject_type", "subject_source",
    "subject_source_version", "object_type", "object_source", "object_source_version",
    "predicate_type", "mapping_provider", "mapping_source", "mapping_cardinality",
    "cardinality_scope", "mapping_tool", "mapping_tool_id", "mapping_tool_version", "mapping_date",
    "publication_date", "review_date", "confidence", "reviewer_agreement", "curation_rule",
    "curation_rule_text", "subject_match_field", "object_match_field", "match_string",
    "subject_preprocessing", "object_preprocessing", "similarity_score", "similarity_measure",
    "see_also", "issue_tracker_item", "other", "comment",
)  # fmt: skip
"""Slots of a mapping in the order of the standard (version 1.1), which is that of columns."""

_ALWAYS = ("subject_id", "predicate_id", "object_id", "mapping_justification")
_NOT_TEXT = ("mapping_set_confidence", "mapping_date", "publication_date")  # of a whole set
_BARE = re.compile(r"\d+(\.\d+)?|\d{4}-\d\d-\d\d")
_WIDEST = 1 << 30


def write_sssom(path: Path, head: Mapping[str, Any], rows: Sequence[Mapping[str, str]]) -> None:
    """Writes a mapping set beside its final place, then moves it there.

    Args:
        path: usually ends in `.sssom.tsv`.
        head: slots of the whole set, such as `curie_map` and `mapping_set_id`.
        rows: the slots of each mapping, those with several values joined by `joined`. Those
            that a spreadsheet would run are escaped, which a comment in the head tells.

    Raises:
        UserError: the place cannot be written to.
    """
    columns = list_slots(rows)
    table = [columns, *([row.get(column, "") for column in columns] for row in rows)]
    noted = Noted()
    lines = [f"#{line}" for line in _head_lines(head)]
    if any(map(is_formula, chain.from_iterable(table))):
        # a comment behind a value: some readers take "##" for the beginning of a line of YAML
        lines[:1] = [f"{first} {ESCAPE_NOTE}" for first in lines[:1] or ["#{}"]]
        table = [list(map(escape_formula, row)) for row in table]
    with atomic_write(path) as fresh:
        write_exact_tsv(fresh, lines, noted.rows(table))
    noted.keep(path)


def joined(values: Iterable[str]) -> str:
    """Several values of a slot as one cell."""
    return "|".join(value.replace("\\", "\\\\").replace("|", "\\|") for value in values)


def list_slots(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return what some mapping has: the standard's slots in its order, then others by name."""
    used = {slot for row in rows for slot, text in row.items() if text} or set(_ALWAYS)
    return [*(slot for slot in SLOTS if slot in used), *sorted(used - set(SLOTS))]


def _head_lines(head: Mapping[str, Any]) -> list[str]:
    import yaml  # the window is there before it is needed

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True  # the standard allows none

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, indentless=False)

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        # a line within a text could begin with what readers cut off
        return (
            dumper.represent_str(value) if value.isprintable() else _represent_quoted(dumper, value)
        )

    def bare(dumper: yaml.SafeDumper, value: _Bare) -> yaml.ScalarNode:
        tag = dumper.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
        return dumper.represent_scalar(tag, value)

    Dumper.add_representer(str, text)
    Dumper.add_representer(_Bare, bare)
    bares = {slot: _Bare(head[slot]) for slot in _NOT_TEXT if _BARE.fullmatch(str(head.get(slot)))}
    dumped: str = yaml.dump(
        {**head, **bares}, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=_WIDEST,
        default_flow_style=False,
    )  # fmt: skip
    return dumped.removesuffix("\n").split("\n") if head else []


def _represent_quoted(dumper: Any, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, '"')


class _Bare(str):
    """A number or a date as its text, written without quotation marks."""

    __slots__ = ()
