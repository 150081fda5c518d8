"""CURIE prefixes of the vocabularies that the UMLS, OMOP and cross-references name.

What is not named here goes by its own name, without what no prefix can hold.
"""

import re
from functools import cache

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


def canonical(code: str) -> str:
    """A code under the prefix that CURIEs have: `NCIT:C3088` of `NCI2004_11_17:C3088`."""
    vocabulary, _, local = code.partition(":")
    return f"{prefix_of(_DATE.sub('', vocabulary))}:{local}"


def code_curie(vocabulary: str, code: str) -> str:
    """The CURIE of a code; one that has a prefix already, `GO:0008150`, stays as it is."""
    if ":" in code and _CURIE.fullmatch(code):
        return code
    return f"{prefix_of(vocabulary)}:{code}"
