"""Queries about what the concepts of a release are called in other systems."""

from dataclasses import dataclass

from sqlalchemy import Connection

_CODES = """
WITH reference(concept_id, curie, text) AS (
  SELECT c.id, c.curie, trim(r.value) FROM concept c, json_each(c.details, '$.cross_references') r
  WHERE c.release_id = ? AND NOT c.obsolete),
code(concept_id, curie, prefix, text) AS (
  SELECT concept_id, curie, substr(text, 1, instr(text, ':') - 1), text FROM reference
  WHERE text LIKE '_%:_%' AND text NOT LIKE '%://%')
"""


@dataclass(frozen=True, slots=True)
class OtherSystem:
    """A system that cross-references name.

    Attributes:
        prefix: of its codes, such as `ICD10CM`.
        concepts: live concepts of the release that have a code of it.
        codes: how many different ones these are.
    """

    prefix: str
    concepts: int
    codes: int


def other_systems(connection: Connection, release_id: int) -> list[OtherSystem]:
    """The systems that a release refers to, those of most concepts first; web pages are none."""
    query = f"""{_CODES} SELECT prefix, count(DISTINCT concept_id), count(DISTINCT text) FROM code
                GROUP BY prefix ORDER BY 2 DESC, 1"""
    return [OtherSystem(*row) for row in connection.exec_driver_sql(query, (release_id,))]


def codes(connection: Connection, release_id: int, prefix: str = "") -> dict[str, list[str]]:
    """The codes of one system, or of all, that live concepts refer to, by the concept's CURIE."""
    query = f"{_CODES} SELECT curie, text FROM code WHERE ? IN ('', prefix)"
    codes_by_curie: dict[str, list[str]] = {}
    for curie, code in connection.exec_driver_sql(query, (release_id, prefix)):
        codes_by_curie.setdefault(curie, []).append(code)
    return codes_by_curie
