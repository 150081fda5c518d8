"""What a recipe trains on: vectors, classes and memberships as tensors on one device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from termexplorer.trainer.data.judged_pairs import JudgedPairs
from termexplorer.trainer.data.splits import TRAIN, VALIDATION, Parts
from termexplorer.trainer.data.words import NameWords, alphabet_of
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.measures.base import TokenVectors
from termexplorer.trainer.representations.pieces import NamePieces, PieceReader
from termexplorer.trainer.tensors.objectives import unit_of_any_length
from termexplorer.trainer.text.name_tokens import Marked, MarkedVectors
from termexplorer.trainer.text.names import LabelledNames

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from termexplorer.trainer.data.spelling import Spelled
    from termexplorer.trainer.encoders.cca import CCA
    from termexplorer.trainer.encoders.whitening import Whitening

_MORE = Message("choose classes, or concepts, with more names")


@dataclass(frozen=True, eq=False)
class ClassMembers:
    """The classes of some names, and the training names of each class.

    Attributes:
        counts: (n,) int64, the number of classes of each name.
        starts: (n,) int64, where the classes of each name start in ``classes``.
        classes: (m,) int64, the classes of all names one after the other.
        groups: (n,) int64; names of one group have the same set of classes.
    """

    counts: Tensor
    starts: Tensor
    classes: Tensor
    groups: Tensor


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judged pairs of one part.

    Attributes:
        left: (p, d), the first terms at unit length.
        right: (p, d), the second ones.
        similar: (p,) bool, what people said.
    """

    left: Tensor
    right: Tensor
    similar: Tensor


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training and validation names at unit length, with their classes.

    Attributes:
        names: (t, d), training names at unit length.
        validation: (v, d), validation names at unit length.
        prototypes: (c, d), means of the training names of each class, at unit length ([FSL] eq. 3).
        of_names: classes of the training names.
        of_validation: classes of the validation names.
        class_sizes: (c,) int64, training names of each class.
        class_starts: (c,) int64, where the names of each class start in ``class_names``.
        class_names: (m,) int64, the training names of all classes one after the other.
        places: (m,) int64, for each membership in ``of_names`` the name's place in its class.
        words: the words of the training names, and those of the validation names; None for
            recipes that take whole names.
        marked: the training names and classes, where the source of words has vectors of these too.
        projection: what names and prototypes were mapped by; None where they are as beneath.
        judged: the judged pairs to train on, and those to stop by; None where there are none.
        pieces: the training and the validation names, where a transformer is to read them.
        texts: the training and the validation names as they are written.
        spelled: their words and letters, for a recipe that learns these.
    """

    names: Tensor
    validation: Tensor
    prototypes: Tensor
    of_names: ClassMembers
    of_validation: ClassMembers
    class_sizes: Tensor
    class_starts: Tensor
    class_names: Tensor
    places: Tensor
    words: tuple[NameWords, NameWords] | None = None
    marked: Marked | None = None
    projection: CCA | Whitening | None = None
    judged: tuple[Judgements, Judgements] | None = None
    pieces: tuple[NamePieces, NamePieces] | None = None
    texts: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    spelled: Spelled | None = None

    @classmethod
    def prepare(
        cls,
        labels: LabelledNames,
        parts: Parts,
        vectors: NDArray[np.float32],
        device: torch.device,
        source: TokenVectors | PieceReader | None = None,
        judged: JudgedPairs | None = None,
        *,
        labelled: bool = True,
    ) -> TrainingData:
        """Gather what a run needs; names without a class are left out.

        Args:
            labels: n names and their classes.
            parts: (n,) uint8, see ``trainer.data.splits``.
            vectors: (n, d) float32, the pretrained vectors of the names.
            device: where the tensors go.
            source: of word vectors, for recipes that read words; or the transformer that a recipe
                trains on.
            judged: pairs of terms, for recipes that learn from them.
            labelled: whether the classes are learned, not only looked at for the validation figure.

        Raises:
            ValueError: for shapes that do not fit, vectors that are not finite, or zero for all
                training names, no validation name of a class with training names, where classes are
                learned no class with two training names, or a single class; with judged pairs, no
                training name.
        """
        _check_data(labels, parts, vectors)
        membership = labels.membership()
        has_class = labels.class_counts() > 0
        training = np.flatnonzero((parts == TRAIN) & has_class)
        validation = np.flatnonzero((parts == VALIDATION) & has_class)
        of_training = membership[training].tocsr()
        by_class = of_training.T.tocsr()  # (c, t)
        sizes = np.diff(by_class.indptr)
        if judged is None:
            of_learned = membership[validation] @ (sizes >= 1)
            _check_enough(int(of_learned.sum()), sizes, labelled=labelled)
        elif not len(training):
            raise TrainerError("no name is left that is of none of the judged pairs; judge others")
        raw = np.ascontiguousarray(vectors[training], dtype=np.float32)
        if not raw.any():
            raise TrainerError(
                "the vectors know none of the {training:,} training names; choose others",
                training=len(training),
            )
        texts = _pick_texts(labels, training), _pick_texts(labels, validation)
        return cls(
            _unit_rows(raw, device),
            _unit_rows(vectors[validation], device),
            _unit_rows(by_class.astype(np.float32) @ raw, device),
            _make_members(of_training, device),
            _make_members(membership[validation].tocsr(), device),
            _as_integers(sizes, device),
            _as_integers(by_class.indptr[:-1], device),
            _as_integers(by_class.indices, device),
            _as_integers(_member_offsets(of_training), device),
            _make_words(source, texts, device),
            Marked(texts[0], labels.classes, source) if isinstance(source, MarkedVectors) else None,
            pieces=_make_pieces(source, texts),
            judged=_make_judgements(judged, device),
            texts=texts,
        )

    def sharing(self, members: ClassMembers, chosen: Tensor) -> Tensor:
        """Return which training names share a class with some names of ``members``.

        Args:
            members: the classes of n names.
            chosen: (b,) int64, the names asked for.

        Returns:
            (b, t) bool.
        """
        groups, inverse = torch.unique(members.groups[chosen], return_inverse=True)
        example = torch.empty_like(groups).scatter_(0, inverse, chosen)  # any name of each group
        row, at = spread(members.starts[example], members.counts[example])
        number = members.classes[at]
        item, at = spread(self.class_starts[number], self.class_sizes[number])
        table = torch.zeros((len(groups), len(self.names)), dtype=torch.bool, device=chosen.device)
        table[row[item], self.class_names[at]] = True
        return table[inverse]


def _unit_rows(vectors: NDArray[np.float32], device: torch.device) -> Tensor:
    table = torch.from_numpy(np.ascontiguousarray(vectors, dtype=np.float32))
    return unit_of_any_length(table.to(device))


def _as_integers(values: ArrayLike, device: torch.device) -> Tensor:
    return torch.from_numpy(np.asarray(values, dtype=np.int64)).to(device)


def _pick_texts(labels: LabelledNames, places: NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(labels.names[index] for index in places.tolist())


def _make_pieces(
    source: TokenVectors | PieceReader | None, texts: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[NamePieces, NamePieces] | None:
    if not isinstance(source, PieceReader):
        return None
    return NamePieces(texts[0], source), NamePieces(texts[1], source)


def _make_words(
    source: TokenVectors | PieceReader | None,
    texts: tuple[Sequence[str], Sequence[str]],
    device: torch.device,
) -> tuple[NameWords, NameWords] | None:
    if source is None or isinstance(source, PieceReader):
        return None
    training, validation = texts
    alphabet = alphabet_of(training)
    return (
        NameWords.of_names(training, source, alphabet, device),
        NameWords.of_names(validation, source, alphabet, device),
    )


def _make_judgements(
    judged: JudgedPairs | None, device: torch.device
) -> tuple[Judgements, Judgements] | None:
    if judged is None:
        return None
    units = _unit_rows(judged.vectors, device)

    def of_part(part: int) -> Judgements:
        rows = np.flatnonzero(judged.parts == part)
        left, right = (torch.from_numpy(side[rows]) for side in (judged.left, judged.right))
        similar = torch.from_numpy(judged.similar[rows])
        return Judgements(units[left.to(device)], units[right.to(device)], similar.to(device))

    return of_part(TRAIN), of_part(VALIDATION)


def names_of(data: TrainingData, classes: Tensor) -> Tensor:
    """Return the training names of some classes, each once and in order, (b,) int64."""
    _, position = spread(data.class_starts[classes], data.class_sizes[classes])
    names: Tensor = torch.unique(data.class_names[position])
    return names


def spread(starts: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """Write out ranges of places, one after the other.

    Args:
        starts: (r,) int64, where each range starts.
        counts: (r,) int64, how long it is.

    Returns:
        (p,) int64, the range that each place is of, and (p,) int64, the places.
    """
    item = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
    before = counts.cumsum(0) - counts
    offset = torch.arange(len(item), device=item.device) - before[item]
    return item, starts[item] + offset


def _check_data(labels: LabelledNames, parts: Parts, vectors: NDArray[np.float32]) -> None:
    count = len(labels.names)
    if parts.shape != (count,) or parts.dtype != np.uint8:
        raise TrainerError(
            "{count} names need ({count},) uint8 parts, not {shape}", count=count, shape=parts.shape
        )
    if vectors.ndim != 2 or len(vectors) != count:
        raise TrainerError(
            "{count} names need ({count}, d) vectors, not {shape}", count=count, shape=vectors.shape
        )
    if not np.isfinite(vectors).all():
        raise TrainerError("the vectors of the names are not all finite numbers")


def _check_enough(validation: int, sizes: NDArray[np.int32], *, labelled: bool) -> None:
    if labelled and not (sizes >= 2).any():
        raise TrainerError(
            "no class has two names to train on; {more}, or keep fewer of them for "
            "validation and test",
            more=_MORE,
        )
    if labelled and (sizes >= 1).sum() < 2:
        raise TrainerError("all training names are of one class; give those of several")
    if not validation:
        raise TrainerError(
            "no name is left for validation of a class with training names; "
            "{more}, or train on fewer of them",
            more=_MORE,
        )


def _make_members(membership: csr_array, device: torch.device) -> ClassMembers:
    """Return the classes of the rows of a sparse (n, c) matrix."""
    membership.sort_indices()
    rows = np.split(membership.indices, membership.indptr[1:-1])
    numbers: dict[tuple[int, ...], int] = {}
    groups = [numbers.setdefault(tuple(row.tolist()), len(numbers)) for row in rows]
    return ClassMembers(
        _as_integers(np.diff(membership.indptr), device),
        _as_integers(membership.indptr[:-1], device),
        _as_integers(membership.indices, device),
        _as_integers(groups, device),
    )


def _member_offsets(membership: csr_array) -> NDArray[np.int64]:
    """Return for each membership of an (n, c) matrix the name's place among its class's names."""
    order = np.argsort(membership.indices, kind="stable")
    sizes = np.bincount(membership.indices, minlength=membership.shape[1])
    starts = np.cumsum(sizes) - sizes
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    return places
