"""Names dictionary: one concept a line, `id|alternative id||name|synonym|...`, no hierarchy.

Ids become CURIEs by the first rule that holds: a prefix that is there stays (`MESH:D000001`); `C`
and seven digits are `UMLS`; any other bare id gets the terminology's key as prefix (`MESH` of
`mesh`), as what an id looks like does not tell whose it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import ConceptRecord, Header, NameRecord, Record, Skipped
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.prefixes import prefix_of_key
from termexplorer.importers.text.text import NameCleaner, clean, unique
from termexplorer.texts import tr

_PREFIXED = re.compile(r"[A-Za-z][\w.-]*:\S.*")
_CUI = re.compile(r"C\d{7}")
# What a file's name ends with to tell releases apart: a year or date, or a version that says so.
# `icd9` and `icd10` are two terminologies.
_RELEASE = re.compile(
    r"[-_ ]v\d[\d_-]*$|[-_ ]?(?:19|20)\d\d(?:[-_]?\d\d(?:[-_]?\d\d)?)?(?:[-_ ]v\d+)?$",
    re.IGNORECASE,
)


def looks_like(lines: Sequence[str]) -> bool:
    """Whether most lines of text part ids from names."""
    return sum("||" in line for line in lines) * 2 > len(lines)


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, a concept a line, and the lines that are none.

    Args:
        source: The file.
        options: `terminology`, the key of the terminology; by default the file's name.

    Raises:
        UserError: Damaged, no text, or without a single concept.
    """
    key = terminology_of(source, options)
    curies, cleaner = Curies(), NameCleaner()
    yield Header(key, "", date_of(source), "", {})
    count = 0
    for line, text in source.lines():
        if text.strip():
            record = _read_row(line, text, key, curies, cleaner)
            count += isinstance(record, ConceptRecord)
            yield record
    if not count:
        raise UserError(
            tr("{path} holds no line `id||name|synonym`; choose another file", path=source.path)
        )
    yield from cleaner.notes()


def terminology_of(source: Source, options: Mapping[str, object]) -> str:
    """Return the key that is asked for, else the file's name without version and endings."""
    asked = str(options.get("terminology") or "").strip()
    stem = source.path.name.split(".")[0]
    name = re.sub(r"[^\w-]+", "_", asked or _RELEASE.sub("", stem) or stem)
    return name.strip("_").lower() or "names"


def date_of(source: Source) -> str:
    """The date in the file's name (`medic_2012-07-06.tsv`), else ""; they state no version."""
    match = re.search(r"\d{4}-\d{2}-\d{2}", source.path.name)
    return match[0] if match else ""


def curie_of(identifier: str, prefix: str, curies: Curies) -> str:
    """Return the CURIE of an id as it stands in a dictionary or table; "" stays "".

    Args:
        identifier: As it stands there.
        prefix: Of bare ids.
        curies: Shortens IRIs.
    """
    short = curies.shorten(clean(identifier))
    if not short or _PREFIXED.fullmatch(short):
        return short
    return f"UMLS:{short}" if _CUI.fullmatch(short) else f"{prefix}:{short}"


def _read_row(
    line: int, text: str, key: str, curies: Curies, cleaner: NameCleaner
) -> ConceptRecord | Skipped:
    left, bars, right = text.partition("||")
    ids = unique(curie_of(part, prefix_of_key(key), curies) for part in left.split("|"))
    names = [part for part in right.split("|") if clean(part)]
    kinds = ["preferred", *["synonym"] * len(names)]
    records = cleaner.distinct(map(NameRecord, names, kinds))
    if not bars or not ids or not records:
        return Skipped(line, _missing_reason(bool(bars), bool(ids), text[:60]))
    code = clean(left.split("|")[0]) or ids[0]
    return ConceptRecord(
        curie=ids[0],
        code=curies.shorten(code),
        names=records,
        alternative_ids=ids[1:],
        line=line,
    )


def _missing_reason(has_bars: bool, has_ids: bool, text: str) -> str:
    if not has_bars:
        return tr("no `||` in {text!r}", text=text)
    return tr("no name in {text!r}", text=text) if has_ids else tr("no id in {text!r}", text=text)
