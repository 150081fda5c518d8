"""A study from what a user names: releases imported, vectors opened, then all of it run."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import beside
from termexplorer.replicate.asked import LEVELS, Study, check
from termexplorer.replicate.report import Report
from termexplorer.replicate.request import Release, StudyRequest, Vectors
from termexplorer.replicate.running import PROTOCOLS, run_study
from termexplorer.replicate.runs import recipe_name
from termexplorer.replicate.term_pairs import settings
from termexplorer.services.cross_references import other_systems, systems_text
from termexplorer.services.encoders import find_encoder
from termexplorer.services.importing import ICD10CM, ImportRequest, import_release
from termexplorer.services.ontologies import find_concept, find_ontology, list_ontologies
from termexplorer.services.presets import hyperparameters
from termexplorer.services.removal import remove_ontology
from termexplorer.services.vectors import TrainVectorsRequest, add_vectors, train_vectors
from termexplorer.store.ontologies import Ontology
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace
from trainer.folders import META, sha256

__all__ = ["PAPERS", "Report", "Study", "replicate"]

PAPERS = tuple(PROTOCOLS)
_PAIRS = "MTS"

_MADE = "made.json"  # what was imported and opened for a study, so that it goes on with the same


def replicate(study: Study, control: Control, on_message: Callable[[object], None]) -> Report:
    """Runs a study and writes its report; goes on with what is in its folder.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        Cancelled: it was cancelled; what was finished is kept.
    """
    if study.paper not in PROTOCOLS:
        raise UserError(f"there is no protocol {study.paper}; there are {', '.join(PAPERS)}")
    values = _settings(study)
    check(study)
    study = replace(study, out=study.out.resolve())
    try:
        study.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{study.out}: cannot be made ({error.strerror})") from error
    workspace = Workspace(study.workspace or study.out / "workspace")
    try:
        making = _Making(study, workspace, control, on_message)
        ontologies = [making.ontology(each) for each in study.ontologies]
        releases = _releases(workspace, ontologies, study)
        vectors = making.vectors(ontologies[0])  # last: text may be learned for long
    finally:
        workspace.close()
    request = StudyRequest(
        paper=study.paper,
        out=study.out,
        workspace=workspace.folder,
        releases=releases,
        vectors=vectors,
        benchmarks=tuple(path.resolve() for path in study.benchmarks),
        preset=study.preset,
        hyperparameters=values,
        seeds=1 if study.paper == _PAIRS else study.seeds,
        shots=tuple(sorted(set(study.shots))),
        corpora=tuple(path.resolve() for path in study.corpora),
        training=tuple(path.resolve() for path in study.training),
        kinds=tuple(sorted(set(study.kinds))),
    )
    return supervise(run_study, request, control, on_message)


def _settings(study: Study) -> dict[str, Any]:
    if study.paper == _PAIRS:  # nothing is trained
        return settings(study.preset, study.changes)
    return hyperparameters(recipe_name(study.paper), study.preset, study.changes)


@dataclass(frozen=True, slots=True)
class _Making:
    """Imports and opens what is not in the study's folder yet."""

    study: Study
    workspace: Workspace
    control: Control
    on_message: Callable[[object], None]

    def ontology(self, source: str) -> Ontology:
        """A release of the workspace by id or terminology, or else that of a file, imported once.

        Where the study has a workspace of its own, only files have a release.
        """
        path = Path(source).expanduser()
        releases = list_ontologies(self.workspace)
        if self.study.workspace is not None:
            named = {text for each in releases for text in (str(each.id), each.terminology)}
            if source in named or not path.is_file():
                return find_ontology(self.workspace, source)
        source = source if source == ICD10CM else str(path.resolve())
        known = self._made().get(self._key(source))
        there = {each.id: each for each in releases}
        if known in there:
            return there[known]
        request = ImportRequest(self.workspace.folder, source)
        imported = import_release(self.workspace, request, self.control, self.on_message)
        what = imported.label, imported.content_hash
        same = [each for each in releases if (each.label, each.content_hash) == what]
        if same:  # of another study in a workspace that was named
            remove_ontology(self.workspace, imported.id, self.control, self.on_message)
            imported = same[0]
        self._keep(source, imported.id)
        return imported

    def vectors(self, ontology: Ontology) -> Vectors:
        """The pretrained vectors."""
        named = self.study.vectors
        if not named:
            return self._trained(ontology)
        if named.isdecimal() and self.study.workspace is not None:
            info = find_encoder(self.workspace, int(named))
            return Vectors(f"{info.title} (encoder {info.id})", info.content_hash, info.id)
        path = Path(named).expanduser().resolve()
        if (path / META).is_file():
            return _saved(path, path.name)
        return self._of_encoder(str(path), lambda: add_vectors(
            self.workspace, path, self.control, self.on_message).id)  # fmt: skip

    def _trained(self, ontology: Ontology) -> Vectors:
        texts = tuple(path.resolve() for path in self.study.texts)
        request = TrainVectorsRequest(self.workspace.folder, ontology.id, texts)
        return self._of_encoder(f"text {' '.join(map(str, texts))}", lambda: train_vectors(
            self.workspace, ontology, request, self.control, self.on_message).id)  # fmt: skip

    def _of_encoder(self, key: str, make: Callable[[], int]) -> Vectors:
        encoder_id = self._made().get(self._key(key))
        if encoder_id is None:
            encoder_id = make()
            self._keep(key, encoder_id)
        info = find_encoder(self.workspace, encoder_id)
        return Vectors(info.title, info.content_hash, info.id)

    def _key(self, source: str) -> str:
        """Of an id in what was made; ids of a workspace that was named are another's."""
        if self.study.workspace is None:
            return source
        return f"{self.workspace.folder.resolve()}: {source}"

    def _made(self) -> dict[str, int]:
        try:
            found: dict[str, int] = json.loads((self.study.out / _MADE).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found

    def _keep(self, key: str, value: int) -> None:
        made = self._made() | {self._key(key): value}
        text = json.dumps(made, indent=1, ensure_ascii=False)
        with beside(self.study.out / _MADE) as fresh:
            fresh.write_text(text, "utf-8")


def _saved(folder: Path, name: str) -> Vectors:
    found = sha256(folder / META)
    return Vectors(f"{name} (sha256 {found[:12]})", found, folder=folder)


def _releases(
    workspace: Workspace, ontologies: Sequence[Ontology], study: Study
) -> tuple[Release, ...]:
    """Each ontology with the roots and the groups that it has.

    Raises:
        UserError: a root or a group is in none of them, or one that [HLS] learns has no root.
    """
    groups = _groups(workspace, ontologies, study.groups)
    found: dict[int, list[tuple[str, str]]] = {each.id: [] for each in ontologies}
    for root in study.roots:
        homes = 0
        for ontology in ontologies:
            try:
                concept = find_concept(workspace, ontology, root)
            except UserError:
                continue
            found[ontology.id].append((concept.curie, concept.label))
            homes += 1
        if not homes:
            raise UserError(f"the root {root} is in none of the ontologies; give its id or code")
    for ontology in ontologies:
        if study.paper == LEVELS and not found[ontology.id]:
            raise UserError(
                f"{LEVELS} looks below roots, and none of those named is in {ontology.label};"
                " leave it out, or name one of its own by --root"
            )
    return tuple(
        Release(each.id, each.label, each.content_hash, tuple(found[each.id]), groups[each.id])
        for each in ontologies
    )


def _groups(
    workspace: Workspace, ontologies: Sequence[Ontology], prefixes: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """The systems that each ontology refers to, of those that were named."""
    there = {each.id: other_systems(workspace, each.id) for each in ontologies}
    for prefix in prefixes:
        if not any(prefix == each.prefix for found in there.values() for each in found):
            told = "; ".join(f"{each.label}: {systems_text(there[each.id])}" for each in ontologies)
            raise UserError(f"no concept refers to {prefix!r}. {told}")
    known = {id_: {each.prefix for each in found} for id_, found in there.items()}
    named = dict.fromkeys(prefixes)
    return {each.id: tuple(p for p in named if p in known[each.id]) for each in ontologies}
