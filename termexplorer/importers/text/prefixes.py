"""CURIE prefixes of the vocabularies that the UMLS, OMOP and cross-references name.

What is not named here goes by its own name, without what no prefix can hold.
"""

import re
from functools import cache
from pathlib import Path

_BY_NAME = {
    "HPO": "HP",
    "LNC": "LOINC",
    "MDR": "MEDDRA",
    "MedDRA": "MEDDRA",
    "MeSH": "MESH",
    "MSH": "MESH",
    "NCBI": "NCBITaxon",
    "NCI": "NCIT",
    "RXNORM": "RxNorm",
    "SCTSPA": "SNOMEDCT",
    "SNOMED": "SNOMEDCT",
    "SNOMEDCT_US": "SNOMEDCT",
    "UMLS_CUI": "UMLS",
}
# What titles of columns call vocabularies, in lower case and without signs between.
_BY_TITLE = {
    "atc": "ATC",
    "chebi": "CHEBI",
    "descriptorui": "MESH",
    "descui": "MESH",
    "doid": "DOID",
    "efo": "EFO",
    "hpo": "HP",
    "icd": "",  # of which edition is not told
    "icd10": "ICD10",
    "icd10cm": "ICD10CM",
    "icd10gm": "ICD10GM",
    "icd11": "ICD11",
    "icd9": "ICD9",
    "icd9cm": "ICD9CM",
    "loinc": "LOINC",
    "meddra": "MEDDRA",
    "mesh": "MESH",
    "mim": "OMIM",
    "mondo": "MONDO",
    "msh": "MESH",
    "ncit": "NCIT",
    "omim": "OMIM",
    "orpha": "Orphanet",
    "orphacode": "Orphanet",
    "orphanet": "Orphanet",
    "rxcui": "RxNorm",
    "rxnorm": "RxNorm",
    "sctid": "SNOMEDCT",
    "snomed": "SNOMEDCT",
    "snomedct": "SNOMEDCT",
    "umls": "UMLS",
}
_MOST_PARTS = max(map(len, _BY_TITLE))  # of a title that can name one
_OF_KEY = {"mesh": "MESH", "omim": "OMIM", "umls": "UMLS"}
_TITLE_PART = re.compile(r"[a-z]+|\d+")
_DATE = re.compile(r"_?(19|20)\d\d(_\d\d_\d\d)?$")  # of a release, at the end of its name
# Translations have the codes of what they translate: `MSHFRE`, `MDRGER`, `LNC-DE-DE`.
_TRANSLATION = re.compile(r"(MSH|MDR|ICPC|WHO)[A-Z]{3}|(LNC)-[A-Z-]+")
_NO_PREFIX = re.compile(r"[^\w.-]+")
_CURIE = re.compile(r"[A-Za-z][\w.]*:\S+")


@cache
def prefix_of(vocabulary: str) -> str:
    """The prefix of a vocabulary's codes: `SNOMEDCT` of `SNOMEDCT_US` and of `SNOMED`."""
    if match := _TRANSLATION.fullmatch(vocabulary):
        vocabulary = match[1] or match[2]
    return _BY_NAME.get(vocabulary) or _NO_PREFIX.sub("", vocabulary)


def prefix_of_file(path: Path) -> str:
    """Return what codes of a file are below where they have no prefix: its name, from a letter on.

    >>> [prefix_of_file(Path(name)) for name in ("codes.csv", "2024.csv", "–.csv")]
    ['codes', 'list_2024', 'list']
    """
    prefix = prefix_of(path.name.split(".")[0])
    return prefix if prefix[:1].isalpha() else f"list_{prefix}".rstrip("_")


def canonical(code: str) -> str:
    """A code under the prefix that CURIEs have: `NCIT:C3088` of `NCI2004_11_17:C3088`."""
    vocabulary, _, local = code.partition(":")
    return f"{prefix_of(_DATE.sub('', vocabulary))}:{local}"


def code_curie(vocabulary: str, code: str) -> str:
    """The CURIE of a code; one that has a prefix already, `GO:0008150`, stays as it is."""
    if ":" in code and _CURIE.fullmatch(code):
        return code
    return f"{prefix_of(vocabulary)}:{code}"


def prefix_of_key(terminology: str) -> str:
    """Return the prefix of the bare ids of a terminology: its key, `MESH` of `mesh`."""
    return _OF_KEY.get(terminology, terminology)


def prefix_in_title(title: str) -> str:
    """Return the prefix of the one vocabulary that a column's title names, else "".

    >>> prefix_in_title("MeSH ID"), prefix_in_title("icd_10_code"), prefix_in_title("code")
    ('MESH', 'ICD10', '')
    """
    parts = _TITLE_PART.findall(title.lower())
    prefixes, position = set(), 0
    while position < len(parts):
        ends = range(min(len(parts), position + _MOST_PARTS), position, -1)
        joined = (end for end in ends if "".join(parts[position:end]) in _BY_TITLE)
        end = next(joined, position)
        prefixes.add(_BY_TITLE["".join(parts[position:end])] if end > position else "")
        position = max(end, position + 1)
    named = prefixes - {""}
    return named.pop() if len(named) == 1 else ""
