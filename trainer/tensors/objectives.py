"""The losses, each a small function of tensors; distances are cosine distances."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding, embedding_bag, normalize, softplus

HINGES = ("triplet", "batch-mean")

_TINY = 1e-12
_SQUARED = 1e-9, 1e15  # what float32 holds the squares of


def unit(vectors: Tensor) -> Tensor:
    """Bring rows to unit length; a zero row stays zero."""
    return normalize(vectors, dim=-1, eps=_TINY)


def unit_of_any_length(vectors: Tensor) -> Tensor:
    """Do as ``unit`` for vectors from elsewhere, whose squares may be too large or too small."""
    if not vectors.numel():
        return vectors.clone()
    largest = torch.linalg.vector_norm(vectors, ord=torch.inf, dim=-1, keepdim=True)
    odd = ((largest < _SQUARED[0]) & (largest > 0)) | (largest > _SQUARED[1])
    return unit(torch.where(odd, vectors / largest, vectors) if odd.any() else vectors)


def cosine_distances(left: Tensor, right: Tensor) -> Tensor:
    """Return ``1 - cos`` of the rows of two (n, d) tensors, (n,)."""
    return unit_distances(unit(left), unit(right))


def unit_distances(left: Tensor, right: Tensor) -> Tensor:
    """Return ``1 - cos`` of rows that are at unit length already, (n,)."""
    return 1 - (left * right).sum(-1)


def triplet_hinge(positive: Tensor, negative: Tensor, margin: float) -> Tensor:
    """Return ``max(d_pos - d_neg + margin, 0)`` triplet by triplet ([HLS] eq. 2, [FSL] eq. 2)."""
    return torch.clamp(positive - negative + margin, min=0)


def semantic_loss(
    positive: Tensor, negative: Tensor, weights: Tensor, margin: float, hinge: str
) -> Tensor:
    """Return the mean hinge of triplets, or the hinge of their mean distances.

    Args:
        positive: distances to the positives.
        negative: distances to the negatives, of a shape that broadcasts with ``positive``.
        weights: 0 where there is no such triplet; 0 comes back where there is none at all.
        margin: how much larger the distance to the negative must be.
        hinge: ``triplet`` as the papers write it, ``batch-mean`` as the published code has it.
    """
    if hinge == "triplet":
        return masked_mean(triplet_hinge(positive, negative, margin), weights)
    means = masked_mean(positive, weights), masked_mean(negative, weights)
    return triplet_hinge(*means, margin) * weights.any()


def contrastive_loss(similarities: Tensor, is_negative: Tensor, temperature: float) -> Tensor:
    """Return the cross-entropy of telling each pair's partner from the batch's other ones.

    InfoNCE, van den Oord et al. 2018, eq. 4, with cosines as scores; from anchors to positives and
    from positives to anchors, averaged.

    Args:
        similarities: (b, b), of each anchor with each positive; the pairs are the diagonal.
        is_negative: (b, b) bool, which positives are negatives of which anchors; none of the
            diagonal.
        temperature: what the similarities are divided by.
    """
    paired = torch.eye(len(is_negative), dtype=torch.bool, device=is_negative.device)
    scores = (similarities / temperature).masked_fill(~(is_negative | paired), -torch.inf)
    target = torch.arange(len(scores), device=scores.device)
    return (cross_entropy(scores, target) + cross_entropy(scores.T, target)) / 2


def grounding_targets(names: Tensor, prototypes: Tensor) -> Tensor:
    """Return ``(u_c + u_n) / 2`` ([HLS] eq. 5, [FSL] eq. 3).

    Args:
        names: (n, d) names at unit length.
        prototypes: (n, d) means of their classes' training names, at unit length.
    """
    return (names + prototypes) / 2


def means_of_groups(
    rows: Tensor, groups: Tensor, count: int, members: Tensor | None = None
) -> Tensor:
    """Return the mean of the rows of each group ([CG] eq. 4, [BNE] 3.2).

    Args:
        rows: (n, d).
        groups: (m,) int64, each from 0 to below ``count``.
        count: g, the number of groups.
        members: (m,) int64, the row that stands at each place of ``groups``, the same one more
            than once if need be; None where m is n and they are in order.

    Returns:
        (g, d), zero for a group without rows. The rows of a group are added up one after the
        other: sums over scattered rows differ from run to run on some devices.
    """
    sizes = torch.bincount(groups, minlength=count)
    starts = sizes.cumsum(0) - sizes
    order = groups.argsort(stable=True)
    return embedding_bag(order if members is None else members[order], rows, starts, mode="mean")


def taken(rows: Tensor, places: Tensor) -> Tensor:
    """Return rows that are asked for by their places, some more than once.

    The gradients of a row are added up in one order. Those of ``rows[places]`` are added up by
    several threads at once on processors, so that the last digit differs from run to run.

    Args:
        rows: (n, d).
        places: int64 of any shape s.

    Returns:
        (*s, d).
    """
    return embedding(places, rows)


def masked_mean(values: Tensor, weights: Tensor) -> Tensor:
    """Return the mean of values by weights that are not all zero; 0 where they are."""
    return (values * weights).sum() / weights.sum().clamp(min=_TINY)


def ordering_loss(similarities: Tensor, similar: Tensor, temperature: float) -> Tensor:
    """Return how far dissimilar pairs are from being less similar than the similar ones.

    RankNet, Burges et al. 2005, eq. 3: the mean of ``log(1 + exp((s_i - s_j) / t))`` over each
    dissimilar pair i and each similar pair j. It knows no threshold: what counts is the order, as
    in the AUC; and a pair that is on the wrong side for good, as one judged in error, counts no
    more than in proportion.

    Args:
        similarities: (p,).
        similar: (p,) bool.
        temperature: what the similarities are divided by.

    Returns:
        a number, 0 where all pairs are of one kind.
    """
    if bool(similar.all()) or not bool(similar.any()):
        return similarities.sum() * 0
    scores = similarities / temperature
    return softplus(scores[~similar][:, None] - scores[similar]).mean()
