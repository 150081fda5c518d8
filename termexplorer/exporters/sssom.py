"""Mappings in the SSSOM/TSV form (Matentzoglu et al. 2022, https://mapping-commons.github.io/sssom/)."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.exporters.files import beside

COLUMNS = (
    "subject_id",
    "subject_label",
    "predicate_id",
    "object_id",
    "object_label",
    "mapping_justification",
    "confidence",
    "comment",
)
_ALWAYS = {
    "semapv": "https://w3id.org/semapv/vocab/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
_ELSEWHERE = "https://bioregistry.io/{}:"


@dataclass(frozen=True, slots=True)
class SssomRow:
    """One mapping, in the words of the standard; the first fields are `COLUMNS`.

    Attributes:
        term: the name of the subject that is meant; empty for all of it. No slot of the standard.
    """

    subject_id: str
    subject_label: str
    predicate_id: str
    object_id: str
    object_label: str
    mapping_justification: str
    confidence: float | None
    comment: str
    term: str = ""


def write_sssom(
    path: Path,
    about: Mapping[str, str],
    prefixes: Mapping[str, str],
    rows: Sequence[SssomRow],
) -> None:
    """Writes a mapping set beside its final place, then moves it there.

    Args:
        path: usually ends in `.sssom.tsv`.
        about: slots of the whole set, such as `mapping_set_id`, which it must have, and `license`.
        prefixes: IRI of each prefix that is known.
        rows: the mappings.

    Raises:
        UserError: the place cannot be written to.
    """
    with beside(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"#{line}\n" for line in _head(about, _used(prefixes, rows)))
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([_cell(getattr(row, name)) for name in COLUMNS])


def _head(about: Mapping[str, str], prefixes: Mapping[str, str]) -> Iterable[str]:
    """YAML, whose texts are written as JSON, which YAML reads."""
    yield "curie_map:"
    for prefix, iri in prefixes.items():
        yield f"  {json.dumps(prefix)}: {json.dumps(iri)}"
    for slot, text in about.items():
        yield f"{slot}: {json.dumps(text, ensure_ascii=False)}"


def _used(prefixes: Mapping[str, str], rows: Sequence[SssomRow]) -> dict[str, str]:
    ids = (each for row in rows for each in (row.subject_id, row.object_id))
    used = sorted({each.partition(":")[0] for each in ids})
    return _ALWAYS | {prefix: prefixes.get(prefix, _ELSEWHERE.format(prefix)) for prefix in used}


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    return "" if value is None else f"{value:.4f}"
