"""Which synonym sets are learned: of all concepts or some, each alone or grouped by a code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import cross_references
from termexplorer.store.releases.cross_references import OtherSystem
from termexplorer.store.title_templates import (
    GROUPS,
    GROUPS_BELOW,
    SYNONYM_SETS,
    SYNONYM_SETS_BELOW,
)
from termexplorer.texts import number, tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.level_choice import root_id

_MOST_NAMED = 12  # of the systems, in an error


@dataclass(frozen=True, slots=True)
class SynonymChoice:
    """Which names of a release are synonyms.

    Attributes:
        root: CURIE of the concept that with all below it is learned; empty for all of them.
        groups: prefix of the codes, such as `ICD10CM`, that the concepts refer to; the names of
            those with the same code are one set ([CG] 4.1.2). Empty: each concept is its own.
    """

    root: str = ""
    groups: str = ""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "SynonymChoice":
        """From what a run keeps of it; a run of an older version keeps none."""
        return cls(**values.get("synonyms", {}))

    @property
    def title(self) -> Message:
        """Return what is learned, as titles of runs have it."""
        if self.groups:
            return Message(GROUPS_BELOW if self.root else GROUPS, **self._values())
        return Message(SYNONYM_SETS_BELOW if self.root else SYNONYM_SETS, **self._values())

    def _values(self) -> dict[str, str]:
        values = {"system": self.groups, "concept": self.root}
        return {name: value for name, value in values.items() if value}

    def __str__(self) -> str:
        return str(self.title)


EVERY_CONCEPT = SynonymChoice()


def check(connection: Connection, release_id: int, choice: SynonymChoice) -> None:
    """Refuses a choice that the release does not have.

    Raises:
        UserError: no concept refers to that system, or the root is not there.
    """
    if choice.root:
        root_id(connection, release_id, choice.root)
    if choice.groups:
        systems = cross_references.other_systems(connection, release_id)
        if choice.groups not in (system.prefix for system in systems):
            raise UserError(
                tr(
                    "no concept of this ontology refers to {groups!r}; {there}",
                    groups=choice.groups,
                    there=systems_text(systems),
                )
            )


def systems_text(systems: Iterable[OtherSystem]) -> str:
    """Which systems there are, with how many concepts refer to each."""
    named = [f"{system.prefix} ({number(system.concepts)})" for system in systems]
    if not named:
        return tr("it has no cross-references, so that its concepts cannot be grouped")
    known, rarer = ", ".join(named[:_MOST_NAMED]), len(named) - _MOST_NAMED
    if rarer > 0:
        return tr("concepts refer to {known} and {rarer} rarer ones", known=known, rarer=rarer)
    return tr("concepts refer to {known}", known=known)
