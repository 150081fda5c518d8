"""An imported ontology and what its import passed over, as commands tell it."""

from collections.abc import Sequence

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.output import count_text, print_line
from termexplorer.store.releases.ontologies import Ontology, Remark

_SHOWN_REMARKS = 20


def imported_object(ontology: Ontology, remarks: Sequence[Remark]) -> dict[str, object]:
    """Return an ontology with the report of its import, for JSON."""
    report = [name_fields(remark, text="reason") for remark in remarks]
    return name_fields(ontology, id="ontology") | {"report": report}


def print_imported(verb: str, ontology: Ontology, remarks: Sequence[Remark]) -> None:
    """Print how much an ontology holds, and the first remarks of its import."""
    print_line(
        f"{ontology.label} {verb} {count_text(ontology.concepts, 'concept', 'concepts')}, "
        f"{count_text(ontology.names, 'name', 'names')}, "
        f"{count_text(ontology.is_a, 'is-a link', 'is-a links')}, {ontology.obsolete:,} obsolete, "
        f"{count_text(ontology.skipped, 'row', 'rows')} left out in part or whole"
    )
    if ontology.licence:
        print_line(f"  licence: {ontology.licence}")
    for remark in remarks[:_SHOWN_REMARKS]:
        where = f"line {remark.line}: " if remark.line else ""
        print_line(f"  {where}{remark.text}")
    if len(remarks) > _SHOWN_REMARKS:
        print_line(f"  … and {len(remarks) - _SHOWN_REMARKS:,} more; --json gives them all")
