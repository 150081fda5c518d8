"""A study of names of the toy ontology: two names of a concept, or of its other side."""

from collections.abc import Callable, Sequence

from toy_ontology import CAUSES, KINDS, ORGANS
from toy_studies import ANNA, BEN, SEEN

from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.workspace import Workspace

QUEUE, RANDOM = 48, 24  # pairs of each part


def queued_study(
    workspace: Workspace, annotators: Sequence[str] = (ANNA, BEN), seed: int = 1
) -> int:
    """A study of a queue and a random part, half of each similar."""
    concepts = [(c, k, o) for c in CAUSES for k in KINDS for o in ORGANS]
    rows = []
    for at, (cause, kind, organ) in enumerate(concepts):
        similar = at % 2 == 0
        other = f"{'left' if similar else 'right'} {organ} {kind}, {cause}"
        rows.append((f"{cause} {kind} of the left {organ}", other, float(similar)))
    parts = {"queue, queue": rows[:QUEUE], "queue, random": rows[QUEUE:]}
    pools = [
        PairPool(name, *zip(*table_rows, strict=True), by_label=False)
        for name, table_rows in parts.items()
    ]
    plan = StudyPlan("Sides", annotators, find_scale("same"), each=QUEUE, seed=seed)
    return new_study(workspace, plan, pools).id


def truth(left: str, right: str) -> str:
    """What is right to say of a pair."""
    return "same" if ("left" in left) == ("left" in right) else "not same"


def judge_all(
    workspace: Workspace,
    study_id: int,
    annotator: str,
    say: Callable[[str, str], str] = truth,
) -> None:
    """Has an annotator answer all that is open."""
    judging = Judging(workspace, study_id, annotator)
    while turn := judging.current():
        judging.judge(turn, say(turn.left, turn.right), SEEN)
