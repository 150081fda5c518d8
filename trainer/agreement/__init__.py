"""How well raters agree, and with what: tables of ratings to figures with intervals.

``ratings_of`` makes ratings of cells, ``read_ratings`` of a file; ``measure_agreement`` gives the
coefficients of all raters and of each two, ``self_agreement`` those of one rater's repeated
ratings, ``majority`` a vote, ``measure_sets`` and ``measure_labels`` how good automatic labels are
beside it, and ``agreement_beside`` whether labels agree with raters as well as these do with each
other.
"""

from termexplorer.trainer.agreement.beside import BesideRaters, agreement_beside
from termexplorer.trainer.agreement.doubtful_rows import RepeatedItems
from termexplorer.trainer.agreement.figures import (
    Agreement,
    AgreementFigure,
    PairAgreement,
    RaterShares,
    measure_agreement,
)
from termexplorer.trainer.agreement.majority import (
    NO_MAJORITY,
    SetAgreement,
    find_judged,
    majority,
    measure_labels,
    measure_sets,
)
from termexplorer.trainer.agreement.ratings import (
    DONT_KNOW,
    NOT_RATED,
    SCALES,
    Ratings,
    label_of,
    merge_labels,
    ratings_of,
    rows_of,
)
from termexplorer.trainer.agreement.repeats import SelfAgreement, first_ratings, self_agreement
from termexplorer.trainer.agreement.tables import MISSING_SIGNS, RatingsFile, read_ratings

__all__ = [
    "DONT_KNOW",
    "MISSING_SIGNS",
    "NOT_RATED",
    "NO_MAJORITY",
    "SCALES",
    "Agreement",
    "AgreementFigure",
    "BesideRaters",
    "PairAgreement",
    "RaterShares",
    "Ratings",
    "RatingsFile",
    "RepeatedItems",
    "SelfAgreement",
    "SetAgreement",
    "agreement_beside",
    "find_judged",
    "first_ratings",
    "label_of",
    "majority",
    "measure_agreement",
    "measure_labels",
    "measure_sets",
    "merge_labels",
    "ratings_of",
    "read_ratings",
    "rows_of",
    "self_agreement",
]
