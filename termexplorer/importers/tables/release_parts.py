"""Single files of releases that come in several: these are told from tables, and refused."""

from collections.abc import Sequence

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.texts import mark, tr, translated

_OF_RF2 = {"id", "effectivetime", "active", "moduleid"}
_OF_OMOP = (
    {"concept_id", "concept_name", "domain_id", "vocabulary_id", "concept_class_id"},
    {"concept_id_1", "concept_id_2", "relationship_id"},
    {"concept_id", "concept_synonym_name"},
    {"vocabulary_id", "vocabulary_name", "vocabulary_concept_id"},
    {"ancestor_concept_id", "descendant_concept_id"},
)
_SIGNS = {
    "\t": mark("tabs"),
    ",": mark("commas"),
    ";": mark("semicolons"),
    "|": mark("bars"),
}
_FEWEST = 4  # cells of a row in RRF


def refuse_release_part(source: Source, titles: Sequence[str], delimiter: str) -> None:
    """Refuse a table that is one file of a release in OMOP or RF2.

    Args:
        source: The table.
        titles: Of its columns, in lower case.
        delimiter: Between its cells; "" in a workbook.

    Raises:
        UserError: It is one.
    """
    title_set = set(titles)
    format_title = "RF2" if title_set >= _OF_RF2 else ""
    if any(title_set >= part for part in _OF_OMOP):
        format_title = "OMOP"
    if format_title:
        text = mark(
            "{path} is one file of a release in {format}, its cells parted by {signs}; import the "
            "folder or zip that it is in, or the file alone with --format table"
        )
        signs = translated(_SIGNS.get(delimiter, mark("columns")))
        raise UserError(translated(text, path=source.path, format=format_title, signs=signs))


def refuse_part_in_rrf(source: Source, lines: Sequence[str]) -> None:
    """Refuse lines that all end in a bar, as those of each file in RRF do.

    Raises:
        UserError: They are of equally many cells.
    """
    counts = {line.count("|") for line in lines}
    if len(counts) == 1 and min(counts) >= _FEWEST:
        raise UserError(
            tr(
                "{path} looks like one file of a release in RRF, its cells parted by bars; import "
                "the folder or zip that it is in, or say another format with --format",
                path=source.path,
            )
        )
