"""Codes of ICD-10-CM as all its importers write them, so that its releases meet."""

from termexplorer.licences import licence_notes

PREFIX, KEY, TITLE = "ICD10CM", "icd10cm", "ICD-10-CM"
LICENCE = licence_notes()[PREFIX]
_CATEGORY = 3  # characters of a category's code


def block_code(code: str) -> str:
    """`B99` as a block is `B99-B99`; `A00-A09` stays."""
    return code if "-" in code else f"{code}-{code}"


def dotted(code: str) -> str:
    """`A00.0` for `A000`."""
    return f"{code[:_CATEGORY]}.{code[_CATEGORY:]}" if len(code) > _CATEGORY else code


def code_kind(code: str) -> str:
    """What a code is called that is no chapter and no block."""
    return "category" if len(code) == _CATEGORY else "code"


def curie(code: str) -> str:
    """`ICD10CM:A00.0`."""
    return f"{PREFIX}:{code}"
