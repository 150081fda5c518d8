"""What a study needs in its workspace: ontologies imported and vectors opened, each once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256 as digest
from pathlib import Path
from typing import TypeAlias, TypeVar

from termexplorer.files import atomic_write
from termexplorer.replicate.asked import AskedStudy
from termexplorer.replicate.contents import content_hash
from termexplorer.replicate.request import StudyVectors
from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder, list_encoders
from termexplorer.services.encoders.vectors import TrainVectorsRequest, add_vectors, train_vectors
from termexplorer.services.explore.ontologies import find_ontology, list_ontologies
from termexplorer.services.importing.releases import ICD10CM, ImportRequest, import_release
from termexplorer.services.workspace.removal import remove_ontology
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.trainer.files.folders import META, sha256
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_MADE = "made.json"  # what was imported and opened for a study, so that it goes on with the same

Made = TypeVar("Made", Ontology, EncoderInfo)
Held: TypeAlias = Callable[[], str]  # the hash of what something is made of, read anew


@dataclass(frozen=True, slots=True)
class Making:
    """Imports and opens what is not in the study's folder yet, or has changed since."""

    study: AskedStudy
    workspace: Workspace
    control: JobControl
    on_message: Callable[[object], None]

    def ontology(self, source: str) -> Ontology:
        """A release of the workspace by id or terminology, or else that of a file, imported once.

        Where the study has a workspace of its own, only files have a release.

        Raises:
            UserError: there is no such release, or the file cannot be imported.
        """
        path = Path(source).expanduser()
        releases = list_ontologies(self.workspace)
        if self.study.workspace is not None:
            named = {
                text for release in releases for text in (str(release.id), release.terminology)
            }
            if source in named or not path.is_file():
                return find_ontology(self.workspace, source)
        if source == ICD10CM:
            return self._once(source, lambda: "", releases, partial(self._imported, source))
        source = str(path.resolve())
        held = partial(content_hash, path)
        return self._once(source, held, releases, partial(self._imported, source))

    def _imported(self, source: str) -> Ontology:
        before = list_ontologies(self.workspace)
        request = ImportRequest(self.workspace.folder, source)
        imported = import_release(self.workspace, request, self.control, self.on_message)
        wanted = imported.label, imported.content_hash
        same = [
            candidate for candidate in before if (candidate.label, candidate.content_hash) == wanted
        ]
        if not same:
            return imported
        # of another study in a workspace that was named, or from another place
        remove_ontology(self.workspace, imported.id, self.control, self.on_message)
        return same[0]

    def vectors(self, ontology: Ontology) -> StudyVectors:
        """The pretrained vectors.

        Raises:
            UserError: there are no such vectors, or they cannot be opened.
        """
        named = self.study.vectors
        if not named:
            return _of_encoder(self._trained(ontology))
        if named.isdecimal() and self.study.workspace is not None:
            info = find_encoder(self.workspace, int(named))
            return StudyVectors(f"{info.title} (encoder {info.id})", info.content_hash, info.id)
        path = Path(named).expanduser().resolve()
        if (path / META).is_file():
            return _open_saved(path)
        make = partial(add_vectors, self.workspace, path, self.control, self.on_message)
        encoders = list_encoders(self.workspace)
        return _of_encoder(self._once(str(path), partial(content_hash, path), encoders, make))

    def _trained(self, ontology: Ontology) -> EncoderInfo:
        texts = tuple(path.resolve() for path in self.study.texts)
        request = TrainVectorsRequest(self.workspace.folder, ontology.id, texts)

        def held() -> str:
            parts = [ontology.content_hash, *map(content_hash, texts)]
            return digest(repr(parts).encode()).hexdigest()

        def make() -> EncoderInfo:
            return train_vectors(self.workspace, ontology, request, self.control, self.on_message)

        key = f"text {' '.join(map(str, texts))}"
        return self._once(key, held, list_encoders(self.workspace), make)

    def _once(
        self, key: str, held: Held, candidates: Sequence[Made], make: Callable[[], Made]
    ) -> Made:
        """What was made of the same content before, if it is there still; or else makes it.

        Args:
            key: where it is from.
            held: the hash of what it is made of.
            candidates: all that the workspace has of the kind.
            make: makes it.
        """
        stored = self._made().get(self._key(key))
        if stored is not None:
            source = held()
            # by its content too: a workspace that was made anew gives ids to others
            matching = [
                candidate for candidate in candidates if stored == _record_source(candidate, source)
            ]
            if matching:
                return matching[0]
        product = make()
        self._keep(key, _record_source(product, held()))
        return product

    def _key(self, source: str) -> str:
        """Of an id in what was made; ids of a workspace that was named are another's."""
        if self.study.workspace is None:
            return source
        return f"{self.workspace.folder.resolve()}: {source}"

    def _made(self) -> dict[str, object]:
        try:
            sources: dict[str, object] = json.loads((self.study.out / _MADE).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return sources

    def _keep(self, key: str, value: object) -> None:
        sources = self._made() | {self._key(key): value}
        text = json.dumps(sources, indent=1, ensure_ascii=False)
        with atomic_write(self.study.out / _MADE) as fresh:
            fresh.write_text(text, "utf-8")


def _record_source(product: Ontology | EncoderInfo, source: str) -> dict[str, object]:
    """What is kept of something that was made."""
    return {"id": product.id, "content_hash": product.content_hash, "source_sha256": source}


def _of_encoder(info: EncoderInfo) -> StudyVectors:
    return StudyVectors(info.title, info.content_hash, info.id)


def _open_saved(folder: Path) -> StudyVectors:
    meta_hash = sha256(folder / META)
    return StudyVectors(f"{folder.name} (sha256 {meta_hash[:12]})", meta_hash, folder=folder)
