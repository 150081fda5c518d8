"""What is asked of a study: a paper's protocol on some data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class StudyRelease:
    """A release of a terminology in the study's workspace.

    Attributes:
        id: in the workspace.
        label: for people, and in what is written down.
        content_hash: of its concepts and links.
        roots: CURIEs and names of the concepts to look below; none: all of it.
        groups: prefixes of the codes by which its concepts are grouped besides, for [CG].
    """

    id: int
    label: str
    content_hash: str
    roots: tuple[tuple[str, str], ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyVectors:
    """Where the pretrained vectors are: an encoder of the workspace, or a saved folder.

    Attributes:
        label: for people.
        content_hash: of what they hold.
    """

    label: str
    content_hash: str
    encoder_id: int | None = None
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class PaperStudyRequest:
    """A paper's protocol on some data.

    Attributes:
        paper: short name, such as `FSL`.
        out: the folder of the study, where it goes on if it was begun there.
        workspace: holds the releases.
        benchmarks: files of pairs with scores.
        preset: `quick` or `paper`.
        hyperparameters: of the paper's recipe, all of them.
        seeds: how many samples or splits are drawn.
        shots: each k of few-shot.
        corpora: PubTator files of mentions, for [BNE].
        training: PubTator files of its exact-match rule.
        kinds: of mentions, such as `Disease`, each measured apart; none: all together.
    """

    paper: str
    out: Path
    workspace: Path
    releases: tuple[StudyRelease, ...]
    vectors: StudyVectors
    benchmarks: tuple[Path, ...]
    preset: str
    hyperparameters: Mapping[str, Any]
    seeds: int
    shots: tuple[int, ...]
    corpora: tuple[Path, ...] = ()
    training: tuple[Path, ...] = ()
    kinds: tuple[str, ...] = ()


def write_request(request: PaperStudyRequest) -> dict[str, Any]:
    """Return a request as JSON has it, whose paths are texts."""
    values: dict[str, Any] = _name_paths(asdict(request))
    return values


def _name_paths(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _name_paths(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_name_paths(inner) for inner in value]
    return str(value) if isinstance(value, Path) else value


def read_request(values: Mapping[str, Any]) -> PaperStudyRequest:
    """Return the request that `write_request` has written."""
    vectors = values["vectors"]
    folder = vectors["folder"]
    return PaperStudyRequest(
        paper=values["paper"],
        out=Path(values["out"]),
        workspace=Path(values["workspace"]),
        releases=tuple(_read_release(release) for release in values["releases"]),
        vectors=StudyVectors(**{**vectors, "folder": folder and Path(folder)}),
        benchmarks=tuple(map(Path, values["benchmarks"])),
        preset=values["preset"],
        hyperparameters=values["hyperparameters"],
        seeds=values["seeds"],
        shots=tuple(values["shots"]),
        corpora=tuple(map(Path, values["corpora"])),
        training=tuple(map(Path, values["training"])),
        kinds=tuple(values["kinds"]),
    )


def _read_release(values: Mapping[str, Any]) -> StudyRelease:
    roots = tuple((curie, name) for curie, name in values["roots"])
    return StudyRelease(**{**values, "roots": roots, "groups": tuple(values["groups"])})


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A hierarchy whose classes or concepts are learned.

    Attributes:
        root: CURIE of the concept at its top; empty for the whole release.
        label: for people, and in what is written down.
    """

    release: StudyRelease
    root: str
    label: str


def hierarchies(request: PaperStudyRequest) -> list[Hierarchy]:
    """Each root of each release, or the whole of it; roots of one name are told apart by ids."""
    return [
        Hierarchy(release, curie, f"{release.label}, {name}" if name else release.label)
        for release in request.releases
        for curie, name in _told_apart(release.roots) or (("", ""),)
    ]


def _told_apart(roots: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    names = [name for _, name in roots]
    return [
        (curie, name if names.count(name) == 1 else f"{name} ({curie})") for curie, name in roots
    ]
