"""Which of a concept's names is the preferred one."""

from collections.abc import Mapping, Sequence

import numpy as np

from termexplorer.importers.files.block import Integers
from termexplorer.importers.rrf.atoms import Atoms

# Where a release has no ranks, these sorts of names come first, those of RxNorm itself before.
_MAIN = ("PN", "MH", "PT", "HT", "LN", "NM", "PF")
_RXNORM, _DRUGS = "RXNORM", (
    "IN", "PIN", "MIN", "SCD", "SBD", "GPCK", "BPCK", "SCDC", "SBDC", "BN", "SCDF", "SBDF", "SCDG",
    "SBDG", "DF", "DFG",
)  # fmt: skip
_ALL_MARKS = 7
_RANK_BITS, _LANGUAGE_BITS, _MARK_BITS = 20, 10, 3


def order_of_names(
    atoms: Atoms,
    languages: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    by_code: bool,
) -> Integers:
    """A number for each row, (n,): the lower, the better a name it is for its concept.

    Names that are not suppressed come first, then those in the first language. By CUI the name
    that the release itself prefers (TS=P, STT=PF, ISPREF=Y) is next; then the ranks of vocabularies
    and sorts of names decide, and last what of TS, STT and ISPREF holds.
    """
    kinds = ranks or {kind: _plain_rank(*kind) for kind in atoms.kinds}
    best = max(kinds.values(), default=0)
    rank = np.array([best - kinds.get(kind, 0) for kind in atoms.kinds], np.int64)
    spoken = np.array(
        [_language_position(language, languages) for language in atoms.languages], np.int64
    )
    marks = atoms.marks.astype(np.int64)
    preferred = (marks == _ALL_MARKS) & (not by_code)
    key = atoms.suppressed.astype(np.int64)
    key = (key << _LANGUAGE_BITS) | spoken[atoms.language]
    key = (key << 1) | ~preferred
    key = (key << _RANK_BITS) | np.minimum(rank, (1 << _RANK_BITS) - 1)[atoms.kind]
    order: Integers = (key << _MARK_BITS) | (_ALL_MARKS - marks)
    return order


def _plain_rank(source: str, sort: str) -> int:
    if source == _RXNORM and sort in _DRUGS:
        return 2 * len(_DRUGS) - _DRUGS.index(sort)
    return len(_MAIN) - _MAIN.index(sort) if sort in _MAIN else 0


def _language_position(language: str, languages: Sequence[str]) -> int:
    return languages.index(language) if language in languages else len(languages)
