"""Small studies of two sets, and annotators who answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.packs import open_pack, write_pack
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.workspace import Workspace

ANNA, BEN = "Anna Berg", "Ben"
SEEN = Seen("2026-03-01T10:00:00.000+00:00", 1_500, 2_000)


def pool(name: str, similar: int, dissimilar: int) -> PairPool:
    """A set whose terms say what it is called, so that a test could see if it were told."""
    kinds = ["s"] * similar + ["d"] * dissimilar
    left = [f"{name} {kind}{number} left" for number, kind in enumerate(kinds)]
    right = [f"{name} {kind}{number} right" for number, kind in enumerate(kinds)]
    return PairPool(name, left, right, [float(kind == "s") for kind in kinds])


def write_set(folder: Path, name: str, similar: int, dissimilar: int) -> Path:
    """A file of such a set."""
    pair_pool = pool(name, similar, dissimilar)
    rows = zip(pair_pool.left, pair_pool.right, pair_pool.scores, strict=True)
    path = folder / f"{name}.tsv"
    lines = [
        "left\tright\tlabel",
        *(f"{left}\t{right}\t{score:.0f}" for left, right, score in rows),
    ]
    path.write_text("\n".join((*lines, "")), encoding="utf-8")
    return path


def make(workspace: Workspace, **changes: Any) -> int:
    """A study of 8 pairs, 2 to practise, one of which comes twice."""
    values: dict[str, Any] = {
        "title": "A study", "annotators": [ANNA, BEN], "scale": find_scale("same"), "each": 2,
        "practice": 2, "repeat": 0.125, "seed": 1,
    }  # fmt: skip
    pools = [pool("one", 6, 6), pool("two", 6, 6)]
    return new_study(workspace, StudyPlan(**{**values, **changes}), pools).id


@contextmanager
def opened(folder: Path) -> Iterator[Workspace]:
    """A workspace, for as long as it is needed."""
    workspace = Workspace(folder)
    try:
        yield workspace
    finally:
        workspace.close()


def sent(author: Workspace, study_id: int, annotator: str, folder: Path) -> Path:
    """An annotator's pack."""
    path = folder / f"{annotator}.termstudy"
    write_pack(author, study_id, annotator, path)
    return path


def at_work(workspace: Workspace, pack: Path) -> Judging:
    """An annotator who opened a pack."""
    result = open_pack(workspace, pack)
    return Judging(workspace, result.study_id, result.annotator)


def answer_all(judging: Judging, say: Callable[[int], str] = lambda _place: "same") -> None:
    """Answers everything, told by the places."""
    while turn := judging.current():
        judging.judge(turn, say(turn.place), SEEN)


def rated(workspace: Workspace) -> int:
    """A study of relatedness, whose second annotator is one higher than the first."""
    study_id = make(workspace, scale=find_scale("relatedness"))
    for annotator, shift in ((ANNA, 0), (BEN, 1)):
        judging = Judging(workspace, study_id, annotator)
        for turn in judging.turns:
            judging.judge(turn, str(len(turn.left) % 2 + shift), SEEN)
    return study_id
