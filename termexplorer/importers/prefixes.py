"""CURIE prefixes of the vocabularies that the UMLS and OMOP gather, under the names they give them.

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
}
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


def code_curie(vocabulary: str, code: str) -> str:
    """The CURIE of a code; one that has a prefix already, `GO:0008150`, stays as it is."""
    if ":" in code and _CURIE.fullmatch(code):
        return code
    return f"{prefix_of(vocabulary)}:{code}"
