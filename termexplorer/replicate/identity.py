"""What a study's folder is of: pieces of anything else are never mixed in."""

from collections.abc import Sequence
from pathlib import Path

from termexplorer.replicate.contents import content_hash
from termexplorer.replicate.request import PaperStudyRequest


def identity(request: PaperStudyRequest) -> dict[str, object]:
    """What must be the same for a piece to count; more samples may be added to a study.

    Data are known by what they hold: another file may have the same name, and ids in a workspace
    that was made anew are others.

    Raises:
        UserError: a file cannot be read.
    """
    mentions = {
        "corpora": _hash_files(request.corpora),
        "training": _hash_files(request.training),
        "kinds": list(request.kinds),
    }
    return {
        "paper": request.paper,
        "releases": [
            [release.label, release.content_hash, list(map(list, release.roots))]
            for release in request.releases
        ],
        "vectors": request.vectors.content_hash,
        "benchmarks": _hash_files(request.benchmarks),
        "preset": request.preset,
        "hyperparameters": dict(request.hyperparameters),
        **({"names": "of known words"} if request.paper == "CG" else {}),
        **(mentions if request.corpora else {}),
    }


def _hash_files(paths: Sequence[Path]) -> list[list[str]]:
    return [[path.name, content_hash(path)] for path in paths]
