"""A study from what a user names: releases imported, vectors opened, then all of it run."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
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
from termexplorer.services.vectors import TrainVectorsRequest, add_vectors, train_vectors
from termexplorer.store.ontologies import Ontology
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace

__all__ = ["PAPERS", "Report", "Study", "replicate"]

PAPERS = tuple(PROTOCOLS)
_PAIRS = "MTS"

_MADE = "made.json"  # what was imported and opened for a study, so that it goes on with the same


@dataclass(frozen=True, slots=True)
class Study:
    """What a user asks for.

    Attributes:
        out: the folder of report, tables and what is needed to go on.
        ontologies: files or `icd10cm`; with a workspace, ids or terminologies there too.
        vectors: a saved folder, a transformer's, a file, or an encoder's id in the workspace.
        texts: to train vectors on, where `vectors` is empty.
        workspace: that holds the ontologies, and takes files that it lacks; None: one below `out`.
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
    seeds: int = 5
    roots: Sequence[str] = ()
    shots: Sequence[int] = (5, 10, 15)
    changes: Mapping[str, Any] = field(default_factory=dict)
    corpora: Sequence[Path] = ()
    training: Sequence[Path] = ()
    kinds: Sequence[str] = ()
    groups: Sequence[str] = ()


def replicate(study: Study, control: Control, on_message: Callable[[object], None]) -> Report:
    """Runs a study and writes its report; goes on with what is in its folder.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        Cancelled: it was cancelled; what was finished is kept.
    """
    if study.paper not in PROTOCOLS:
        raise UserError(f"there is no protocol {study.paper}; there are {', '.join(PAPERS)}")
    values = _settings(study)
    if not study.ontologies:
        raise UserError("name at least one --ontology: a file, or icd10cm")
    _check_for_paper(study)
    study = replace(study, out=study.out.resolve())
    try:
        study.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{study.out}: cannot be made ({error.strerror})") from error
    workspace = Workspace(study.workspace or study.out / "workspace")
    try:
        making = _Making(study, workspace, control, on_message)
        ontologies = [making.ontology(each) for each in study.ontologies]
        vectors = making.vectors(ontologies[0])
        releases = _releases(workspace, ontologies, study)
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


def _check_for_paper(study: Study) -> None:
    if study.groups and study.paper != "CG":
        raise UserError(f"{study.paper} groups no concepts by other systems; leave --groups out")
    if study.corpora and study.paper != "BNE":
        raise UserError(f"{study.paper} has no task on mentions in text; leave --corpus out")
    if (study.training or study.kinds) and not study.corpora:
        raise UserError("--training and --kind are of mentions; name their file by --corpus")
    for path in (*study.corpora, *study.training):
        if not path.is_file():
            raise UserError(f"{path}: there is no such file; give a PubTator file")
    names = [path.name.split(".")[0] for path in study.corpora]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two corpora are called {name}; leave one out, or rename it")


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
        self._keep(source, imported.id)
        return imported

    def vectors(self, ontology: Ontology) -> Vectors:
        """The pretrained vectors."""
        named = self.study.vectors
        if not named:
            return self._trained(ontology)
        if named.isdecimal() and self.study.workspace is not None:
            info = find_encoder(self.workspace, int(named))
            return Vectors(f"{info.label} (encoder {info.id})", encoder_id=info.id)
        path = Path(named).expanduser().resolve()
        if (path / "meta.json").is_file():
            return _saved(path, path.name)
        return self._of_encoder(str(path), lambda: add_vectors(
            self.workspace, path, self.control, self.on_message).id)  # fmt: skip

    def _trained(self, ontology: Ontology) -> Vectors:
        texts = tuple(path.resolve() for path in self.study.texts)
        if not texts:
            raise UserError("say which vectors to use by --vectors, or train them on --text")
        request = TrainVectorsRequest(self.workspace.folder, ontology.id, texts)
        return self._of_encoder(f"text {' '.join(map(str, texts))}", lambda: train_vectors(
            self.workspace, ontology, request, self.control, self.on_message).id)  # fmt: skip

    def _of_encoder(self, key: str, make: Callable[[], int]) -> Vectors:
        encoder_id = self._made().get(self._key(key))
        if encoder_id is None:
            encoder_id = make()
            self._keep(key, encoder_id)
        info = find_encoder(self.workspace, encoder_id)
        return Vectors(info.label, encoder_id=info.id)

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
        (self.study.out / _MADE).write_text(text, "utf-8")


def _saved(folder: Path, name: str) -> Vectors:
    from trainer.folders import sha256

    return Vectors(f"{name} (sha256 {sha256(folder / 'meta.json')[:12]})", folder=folder)


def _releases(
    workspace: Workspace, ontologies: Sequence[Ontology], study: Study
) -> tuple[Release, ...]:
    """Each ontology with the roots and the groups that it has.

    Raises:
        UserError: a root or a group is in none of them.
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
    return tuple(
        Release(each.id, each.label, tuple(found[each.id]), groups[each.id]) for each in ontologies
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
