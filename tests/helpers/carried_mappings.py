"""Mappings on an older release of a small ontology, and what the newer one made of its terms."""

from dataclasses import replace
from pathlib import Path

from checked_terms import list_known_terms, make_term, write_obo

from termexplorer.exporters.sssom import write_sssom
from termexplorer.mapping_terms import MANUAL

CYST, STONE, TUMOR, ABSCESS, FAILURE = "T:102", "T:106", "T:104", "T:101", "T:100"
INTO = "T:103"
"""What the cyst is merged into."""
NEW_STONE = "N:1"
"""What is called like the stone, which is withdrawn."""


def write_releases(folder: Path) -> tuple[Path, Path]:
    """Write two releases: the cyst is merged, the stone withdrawn, the abscess renamed."""
    older, newer = folder / "old.obo", folder / "new.obo"
    known = {term.curie: term for term in list_known_terms()}
    older.write_text(write_obo(list(known.values())), "utf-8")
    known[INTO] = replace(known[INTO], alternative_ids=(CYST,))
    known[ABSCESS] = replace(known[ABSCESS], names=(("pus in the kidney", 0),))
    known[NEW_STONE] = make_term(NEW_STONE, "stone of the kidney", "renal stone", parents=["T:1"])
    for gone in (CYST, STONE):
        del known[gone]
    newer.write_text(write_obo(list(known.values())), "utf-8")
    return older, newer


def write_mappings(folder: Path) -> Path:
    """Write what Anna asserts of five terms, and denies of the abscess and of the failure."""
    labels = {term.curie: term.label for term in list_known_terms()}
    rows = [
        {
            "subject_id": f"X:{number}", "subject_label": f"thing {number}",
            "predicate_id": "skos:exactMatch", "object_id": curie, "object_label": labels[curie],
            "mapping_justification": MANUAL, "author_label": "Anna", "confidence": "0.9",
            "mapping_date": "2020-05-30", "comment": f"seen {number}",
            "predicate_modifier": "Not" if curie in (ABSCESS, FAILURE) else "",
        }
        for number, curie in enumerate((CYST, STONE, TUMOR, ABSCESS, FAILURE))
    ]  # fmt: skip
    head = {"mapping_set_id": "https://example.org/m", "license": "https://example.org/l"}
    path = folder / "m.sssom.tsv"
    filled = [{slot: text for slot, text in row.items() if text} for row in rows]
    write_sssom(path, head | {"curie_map": {"X": "https://example.org/x/"}}, filled)
    return path
