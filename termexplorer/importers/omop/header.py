"""What OMOP's file of vocabularies tells."""

from collections.abc import Sequence
from dataclasses import dataclass

from termexplorer.importers.files.release_files import RoleReader
from termexplorer.importers.omop.files import VOCABULARIES
from termexplorer.importers.records import Header
from termexplorer.importers.text.prefixes import prefix_of
from termexplorer.licences import licence_notes

_ID, _NAME, _VERSION = 0, 1, 3
_KEY, _TITLE = "omop", "OMOP vocabularies"
_WHOLE = "None"  # the vocabulary that stands for the whole release


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """Names and versions of vocabularies, by their ids."""

    titles: dict[str, str]
    versions: dict[str, str]

    def header(self, taken: Sequence[str]) -> Header:
        """The header of a release of some vocabularies: of one alone its own."""
        notes = licence_notes()
        prefixes = dict.fromkeys((_KEY.upper(), *map(prefix_of, taken)))
        licence = " ".join(notes[prefix] for prefix in prefixes if prefix in notes)
        if len(taken) == 1:
            (only,) = taken
            title, version = self.titles.get(only, only), self.versions.get(only, "")
            return Header(prefix_of(only).lower(), title, version, licence, {})
        return Header(_KEY, _TITLE, self.versions.get(_WHOLE, ""), licence, {})


def vocabularies(reader: RoleReader) -> Vocabularies:
    """Read the file of vocabularies, if there is one."""
    titles: dict[str, str] = {}
    versions: dict[str, str] = {}
    for _, block in reader.of(VOCABULARIES):
        for row in range(len(block)):
            vocabulary_id = block.cell(row, _ID)
            titles[vocabulary_id] = block.cell(row, _NAME).strip() or vocabulary_id
            versions[vocabulary_id] = block.cell(row, _VERSION).strip()
    return Vocabularies(titles, versions)
