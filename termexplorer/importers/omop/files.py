"""The files of OMOP vocabularies, in a folder or a zip, told by their names."""

from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.entries import entries, holds_entry
from termexplorer.importers.files.reader import Layout
from termexplorer.importers.files.release_files import ReleaseFiles, ReleaseMember
from termexplorer.texts import tr

CONCEPTS, SYNONYMS, RELATIONS = "concepts", "synonyms", "relations"
VOCABULARIES = "vocabularies"
_VALID = ("valid_start_date", "valid_end_date", "invalid_reason")
LAYOUT = Layout(
    "OMOP",
    {
        CONCEPTS: (
            "concept_id", "concept_name", "domain_id", "vocabulary_id", "concept_class_id",
            "standard_concept", "concept_code", *_VALID,
        ),
        SYNONYMS: ("concept_id", "concept_synonym_name", "language_concept_id"),
        RELATIONS: ("concept_id_1", "concept_id_2", "relationship_id", *_VALID),
        VOCABULARIES: (
            "vocabulary_id", "vocabulary_name", "vocabulary_reference", "vocabulary_version",
            "vocabulary_concept_id",
        ),
    },
    open_end=lambda _last: True,
)  # fmt: skip
_ROLES = {
    "concept.csv": CONCEPTS,
    "concept_synonym.csv": SYNONYMS,
    "concept_relationship.csv": RELATIONS,
    "vocabulary.csv": VOCABULARIES,
}


def holds_release(path: Path) -> bool:
    """Whether a folder or zip holds OMOP's file of concepts, with another of its files.

    Raises:
        UserError: The folder cannot be read.
    """
    return all(
        holds_entry(path, lambda name, wanted=wanted: name.lower() in wanted)  # type: ignore[misc]
        for wanted in (("concept.csv",), (*_ROLES.keys() - {"concept.csv"},))
    )


def open_release(path: Path) -> ReleaseFiles:
    """Find the files; of several of one name the largest counts.

    Raises:
        UserError: There is no file of concepts.
    """
    members: dict[str, ReleaseMember] = {}
    for name, size, opener in entries(path):
        role = _ROLES.get(name.lower(), "")
        if role and (role not in members or size > members[role].size):
            members[role] = ReleaseMember(name, role, size, opener)
    if CONCEPTS not in members:
        raise UserError(
            tr(
                "{path} holds no CONCEPT.csv; choose the folder or zip of OMOP vocabularies",
                path=path,
            )
        )
    return ReleaseFiles(path, members)
