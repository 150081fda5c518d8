"""What a user asks of a study, and what is refused before anything is imported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError

LEVELS = "HLS"  # the paper that looks below roots
PAIRS = "MTS"  # the paper that trains nothing
SEEDS, SHOTS = 5, (5, 10, 15)
_FEW_SHOT = "FSL"


@dataclass(frozen=True, slots=True)
class AskedStudy:
    """What a user asks for.

    Attributes:
        out: the folder of report, tables and what is needed to go on.
        ontologies: files or `icd10cm`; with a workspace, ids or terminologies there too.
        vectors: a saved folder, a transformer's, a file, or an encoder's id in the workspace.
        texts: to train vectors on, where `vectors` is empty.
        workspace: that holds the ontologies, and takes files that it lacks; None: one below `out`.
        seeds: how many samples or splits are drawn; None: `SEEDS`.
        shots: each number of names of a class, for [FSL]; none: `SHOTS`.
        changes: of the preset's hyper-parameters.
        corpora: PubTator files of mentions, for [BNE].
        training: PubTator files of its exact-match rule.
        kinds: of mentions, such as `Disease`, each measured apart; none: all together.
        groups: prefixes of codes by which concepts are grouped besides, such as `ICD10CM`.
    """

    paper: str
    out: Path
    ontologies: Sequence[str]
    vectors: str = ""
    benchmarks: Sequence[Path] = ()
    texts: Sequence[Path] = ()
    workspace: Path | None = None
    preset: str = "quick"
    seeds: int | None = None
    roots: Sequence[str] = ()
    shots: Sequence[int] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    corpora: Sequence[Path] = ()
    training: Sequence[Path] = ()
    kinds: Sequence[str] = ()
    groups: Sequence[str] = ()


def check(study: AskedStudy) -> None:
    """Refuses what can be told from what was named, and from which files there are.

    Raises:
        UserError: something that the paper needs is not named, something is named that it does not
            use, or a file is not there.
    """
    if not study.ontologies:
        raise UserError("name at least one --ontology: a file, or icd10cm")
    if not study.vectors and not study.texts:
        raise UserError("name word vectors by --vectors, or a text to train them on by --text")
    if study.vectors and study.texts:
        raise UserError("--vectors and --text both say which vectors to use; name one of them")
    if study.paper == LEVELS and not study.roots:
        raise UserError(f"{LEVELS} looks below roots; name one by --root")
    if study.paper == _FEW_SHOT and not study.benchmarks:
        raise UserError("FSL is measured on pairs of terms; name their files by --benchmarks")
    if (study.training or study.kinds) and not study.corpora:
        raise UserError("--training and --kind are of mentions; name their file by --corpus")
    _check_unused(study)
    _check_files(study)


def _check_unused(study: AskedStudy) -> None:
    if study.paper == "BNE" and study.roots:
        raise UserError("BNE takes all synonym sets of an ontology; leave --root out")
    if study.paper == PAIRS and study.seeds is not None:
        raise UserError(f"{PAIRS} trains nothing and draws its pairs once; leave --seeds out")
    if study.shots and study.paper != _FEW_SHOT:
        raise UserError(f"{study.paper} draws no few names of each class; leave --shots out")
    if study.groups and study.paper != "CG":
        raise UserError(f"{study.paper} groups no concepts by other systems; leave --groups out")
    if study.corpora and study.paper != "BNE":
        raise UserError(f"{study.paper} has no task on mentions in text; leave --corpus out")


def _check_files(study: AskedStudy) -> None:
    for path, hint in (
        *((path, "term pairs with scores") for path in study.benchmarks),
        *((path, "text") for path in study.texts),
        *((path, "a PubTator file") for path in (*study.corpora, *study.training)),
    ):
        if not path.is_file():
            raise UserError(f"{path}: there is no such file; give {hint}")
    names = [path.name.split(".")[0] for path in study.corpora]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two corpora are called {name}; leave one out, or rename it")
