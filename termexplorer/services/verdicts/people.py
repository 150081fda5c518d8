"""People who judge or curate, and their ORCIDs."""

import re

from termexplorer.errors import UserError
from termexplorer.store.judging import people
from termexplorer.store.judging.verdicts import Judge
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["Judge", "add_person", "list_people"]

_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_PLACES = ("https://orcid.org/", "http://orcid.org/", "orcid.org/", "orcid:")


def list_people(workspace: Workspace) -> list[Judge]:
    """All that were entered, in that order."""
    with workspace.store.reading() as connection:
        return people.people(connection)


def add_person(workspace: Workspace, name: str, orcid: str = "") -> Judge:
    """Enters somebody, once.

    Args:
        workspace: where they judge.
        name: as it will stand in files.
        orcid: with or without the address before it; empty if they have none.

    Raises:
        UserError: no name, or no such ORCID can be.
    """
    judge = Judge(" ".join(name.split()), read_orcid(orcid))
    if not judge.name:
        raise UserError(tr("give the annotator's name"))
    with workspace.store.writing() as connection:
        people.add_person(connection, judge)
    return judge


def read_orcid(text: str) -> str:
    """The sixteen characters of an ORCID, whose last one checks the others (ISO 7064, 11-2).

    Raises:
        UserError: no such ORCID can be.
    """
    orcid = text.strip()
    for prefix in _PLACES:
        orcid = orcid.removeprefix(prefix)
    if orcid and not (_ORCID.fullmatch(orcid) and _has_valid_checksum(orcid.replace("-", ""))):
        raise UserError(
            tr(
                "{orcid}: is no ORCID; copy it from orcid.org, or leave it empty",
                orcid=text.strip(),
            )
        )
    return orcid


def _has_valid_checksum(characters: str) -> bool:
    total = 0
    for digit in characters[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == characters[-1]
