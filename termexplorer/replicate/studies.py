"""A study from what a user names: releases imported, vectors opened, then all of it run."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.asked import LEVELS, PAIRS, SEEDS, SHOTS, AskedStudy, check
from termexplorer.replicate.making import Making
from termexplorer.replicate.report import Report
from termexplorer.replicate.request import PaperStudyRequest, StudyRelease
from termexplorer.replicate.running import PROTOCOLS, prepare_study, run_study
from termexplorer.replicate.runs import recipe_name
from termexplorer.replicate.study.folder import held
from termexplorer.replicate.term_pairs import settings
from termexplorer.services.explore.cross_references import other_systems, systems_text
from termexplorer.services.explore.ontologies import find_concept
from termexplorer.services.recipes.presets import hyperparameters
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = ["PAPERS", "AskedStudy", "Report", "prepare", "replicate"]

PAPERS = tuple(PROTOCOLS)


def replicate(
    study: AskedStudy, control: JobControl, on_message: Callable[[object], None]
) -> Report:
    """Runs a study and writes its report; goes on with what is in its folder.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        Cancelled: it was cancelled; what was finished is kept.
    """
    with _held_request(study, control, on_message) as request:
        return supervise(run_study, request, control, on_message)


def prepare(study: AskedStudy, control: JobControl, on_message: Callable[[object], None]) -> None:
    """Imports and opens what a study needs, and writes its tasks down for other workers.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        Cancelled: it was cancelled.
    """
    with _held_request(study, control, on_message) as request:
        supervise(prepare_study, request, control, on_message)


@contextmanager
def _held_request(
    study: AskedStudy, control: JobControl, on_message: Callable[[object], None]
) -> Iterator[PaperStudyRequest]:
    """What is asked of a study, in whose folder no other one begins meanwhile."""
    if study.paper not in PROTOCOLS:
        raise UserError(f"there is no protocol {study.paper}; there are {', '.join(PAPERS)}")
    values = _read_settings(study)
    check(study)
    study = replace(study, out=study.out.resolve())
    with held(study.out):
        yield _make_request(study, values, control, on_message)


def _make_request(
    study: AskedStudy,
    values: dict[str, Any],
    control: JobControl,
    on_message: Callable[[object], None],
) -> PaperStudyRequest:
    """The study on what is in its workspace, which is brought there first."""
    workspace = Workspace(study.workspace or study.out / "workspace")
    try:
        making = Making(study, workspace, control, on_message)
        ontologies = _each_once(making.ontology(ontology) for ontology in study.ontologies)
        releases = _find_releases(workspace, ontologies, study)
        vectors = making.vectors(ontologies[0])  # last: text may be learned for long
    finally:
        workspace.close()
    return PaperStudyRequest(
        paper=study.paper,
        out=study.out,
        workspace=workspace.folder,
        releases=releases,
        vectors=vectors,
        benchmarks=tuple(path.resolve() for path in study.benchmarks),
        preset=study.preset,
        hyperparameters=values,
        seeds=1 if study.paper == PAIRS else study.seeds or SEEDS,
        shots=tuple(sorted(set(study.shots or SHOTS))),
        corpora=tuple(path.resolve() for path in study.corpora),
        training=tuple(path.resolve() for path in study.training),
        kinds=tuple(sorted(set(study.kinds))),
    )


def _read_settings(study: AskedStudy) -> dict[str, Any]:
    if study.paper == PAIRS:  # nothing is trained
        return settings(study.preset, study.changes)
    return hyperparameters(recipe_name(study.paper), study.preset, study.changes)


def _find_releases(
    workspace: Workspace, ontologies: Sequence[Ontology], study: AskedStudy
) -> tuple[StudyRelease, ...]:
    """Each ontology with the roots and the groups that it has.

    Raises:
        UserError: a root or a group is in none of them, or one that [HLS] learns has no root.
    """
    groups = _group_systems(workspace, ontologies, study.groups)
    roots_by_id: dict[int, dict[str, str]] = {release.id: {} for release in ontologies}
    for root in study.roots:
        homes = 0
        for ontology in ontologies:
            try:
                concept = find_concept(workspace, ontology, root)
            except UserError:
                continue
            roots_by_id[ontology.id][concept.curie] = concept.label
            homes += 1
        if not homes:
            raise UserError(f"the root {root} is in none of the ontologies; give its id or code")
    for ontology in ontologies:
        if study.paper == LEVELS and not roots_by_id[ontology.id]:
            raise UserError(
                f"{LEVELS} looks below roots, and none of those named is in {ontology.label};"
                " leave it out, or name one of its own by --root"
            )
    return tuple(
        StudyRelease(
            release.id,
            label,
            release.content_hash,
            tuple(roots_by_id[release.id].items()),
            groups[release.id],
        )
        for release, label in zip(ontologies, _distinct_labels(ontologies), strict=True)
    )


def _each_once(ontologies: Iterable[Ontology]) -> list[Ontology]:
    """Without those that are the same as one before: nothing is to be learned from one in turn."""
    return list(
        {(ontology.label, ontology.content_hash): ontology for ontology in ontologies}.values()
    )


def _distinct_labels(ontologies: Sequence[Ontology]) -> list[str]:
    """What ontologies are called, by their files too where two are called the same.

    Raises:
        UserError: two of the same label are of files of the same name.
    """
    labels = [ontology.label for ontology in ontologies]
    distinct_labels = [
        label if labels.count(label) == 1 else f"{label} ({Path(ontology.source).name})"
        for ontology, label in zip(ontologies, labels, strict=True)
    ]
    for label in distinct_labels:
        if distinct_labels.count(label) > 1:
            raise UserError(f"two ontologies are called {label}; rename the file of one of them")
    return distinct_labels


def _group_systems(
    workspace: Workspace, ontologies: Sequence[Ontology], prefixes: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """The systems that each ontology refers to, of those that were named."""
    systems_by_id = {ontology.id: other_systems(workspace, ontology.id) for ontology in ontologies}
    for prefix in prefixes:
        if not any(
            prefix == system.prefix for systems in systems_by_id.values() for system in systems
        ):
            offered = "; ".join(
                f"{ontology.label}: {systems_text(systems_by_id[ontology.id])}"
                for ontology in ontologies
            )
            raise UserError(f"no concept refers to {prefix!r}. {offered}")
    known = {id_: {system.prefix for system in systems} for id_, systems in systems_by_id.items()}
    named = dict.fromkeys(prefixes)
    return {
        ontology.id: tuple(p for p in named if p in known[ontology.id]) for ontology in ontologies
    }
