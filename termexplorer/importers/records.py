"""What an importer yields: the header, concepts, links, and what it left out."""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says about itself.

    Attributes:
        terminology: Key that joins the releases of one terminology (`doid`, `hp`); None when the
            file does not tell.
        title: A name for people, or "".
        version: The release, as a date where there is one (`2018-07-05`), or "".
        licence: The licence as the file states it, or "".
        prefixes: CURIE prefix -> IRI it stands for, as declared in the file.
    """

    terminology: str | None
    title: str
    version: str
    licence: str
    prefixes: dict[str, str]


class NameRecord(NamedTuple):
    """One name of a concept; there are millions, and a tuple is made in half the time.

    Attributes:
        text: The name, white space cleaned, never empty.
        kind: `preferred`, `fully specified` or `synonym`.
        scope: `EXACT`, `RELATED`, `NARROW`, `BROAD`, or "" where the format has no scopes.
    """

    text: str
    kind: str
    scope: str = ""


_NAME_TEXT = ", ".join(f"{key}=%r" for key in NameRecord._fields)


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """One concept as one place in the file describes it.

    Attributes:
        curie: The concept's id, `DOID:4`; an unknown IRI is kept as it is.
        code: What people type and read: `J18.9`; the CURIE where there is no shorter form.
        kind: "" or what the terminology calls such a concept: `chapter`, `block`, `category`, ...
        names: At most one preferred name, which comes first; no name twice, case aside.
        parents: CURIEs of the is-a parents, each once.
        definition: The text, or "".
        alternative_ids: CURIEs that mean this concept too.
        cross_references: Ids in other terminologies.
        obsolete: Whether the concept is withdrawn.
        replaced_by: CURIEs that take its place.
        consider: CURIEs that may take its place.
        same_as: CURIEs of what means the same.
        associations: Other historical associations, as `KIND CURIE`.
        modules: CURIEs of the parts of the release that it belongs to, but for the usual one.
        parent_lines: Parent -> the line that names it, where that is not `line`.
        line: The line on which it starts, counted from 1; 0 where the format has no lines.
    """

    curie: str
    code: str
    kind: str = ""
    names: tuple[NameRecord, ...] = ()
    parents: tuple[str, ...] = ()
    definition: str = ""
    alternative_ids: tuple[str, ...] = ()
    cross_references: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: tuple[str, ...] = ()
    consider: tuple[str, ...] = ()
    line: int = field(default=0, repr=False)
    same_as: tuple[str, ...] = field(default=(), repr=False)
    associations: tuple[str, ...] = field(default=(), repr=False)
    modules: tuple[str, ...] = field(default=(), repr=False)
    parent_lines: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def content_text(self) -> str:
        """Return what the hash of a release is made of; it never changes, as hashes are kept.

        It is what `repr` gives, with line 0, and what came to be told later only where it is told.
        """
        names = ", ".join([f"NameRecord({_NAME_TEXT % name})" for name in self.names])
        names += "," * (len(self.names) == 1)
        fields = _HASHED_FIELDS(self)
        before = len(_BEFORE_NAMES)
        values = *fields[:before], f"({names})", *fields[before:], 0
        text = f"ConceptRecord({_CONCEPT_TEXT % values})"
        if self.same_as or self.associations:
            text += repr((self.same_as, self.associations))
        return text


@dataclass(frozen=True, slots=True)
class IsARecord:
    """One is-a link, from formats that list links apart from concepts; it may come before them."""

    child: str
    parent: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row or part of one that was left out, and why; `line` is 0 where there are no lines."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """A row of a concept that a row before it told of already; the record before has both.

    Attributes:
        line: The line on which the row starts.
        curie: The concept's id.
        definition_lost: Whether its definition is another than the concept's, and left out.
        new_names: How many names it adds, synonyms among them.
        new_parents: How many parents it adds.
        new_definition: Whether the concept has its definition from it.
    """

    line: int
    curie: str
    definition_lost: bool
    new_names: int = 0
    new_parents: int = 0
    new_definition: bool = False


MAY_BE_CUT = "may be cut"
"""The kind of the `Note` that a file ends as one that was cut does, though it may be whole."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the file that is worth a line in the report.

    Attributes:
        kind: A short fixed word for it: `other graphs`, `relations`, ...
        count: How many.
        text: The sentence that is shown.
        lost_lines: The lines of rows that lost a cell by it.
    """

    kind: str
    count: int
    text: str
    lost_lines: tuple[int, ...] = ()


_BEFORE_NAMES = ("curie", "code", "kind")
_AFTER_NAMES = (
    "parents", "definition", "alternative_ids", "cross_references", "obsolete", "replaced_by",
    "consider",
)  # fmt: skip
_HASHED_FIELDS = attrgetter(*_BEFORE_NAMES, *_AFTER_NAMES)
_CONCEPT_TEXT = ", ".join(
    [f"{key}=%r" for key in _BEFORE_NAMES]
    + ["names=%s"]
    + [f"{key}=%r" for key in (*_AFTER_NAMES, "line")]
)

Record: TypeAlias = Header | ConceptRecord | IsARecord | Repeated | Skipped | Note
