"""Encoders that are made of others without training: joined, blended, and word mover's distance."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder
from termexplorer.services.encoders.vectors import free_title
from termexplorer.store.encoders.encoders import add_encoder
from termexplorer.store.encoders.infos import LEXICAL, WORD_MOVERS
from termexplorer.store.encoders.runs import run_behind
from termexplorer.store.kept_messages import join_messages, plain_message
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.store.title_templates import EQUAL_PARTS, WITH_TFIDF, WORD_MOVERS_DISTANCE
from termexplorer.texts import tr, translated
from termexplorer.trainer.errors import Message
from termexplorer.trainer.lexical.word_movers import EXACT
from termexplorer.trainer.representations import OF_WORDS
from termexplorer.workers.evaluate.sparse_weight import FittedWeight
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workers.train.blending import BlendRequest, fit_weight
from termexplorer.workspace import Workspace

__all__ = ["blend_encoder", "fit_blend", "join_encoders", "with_vectors", "word_mover_encoder"]

_LARGEST_WEIGHT = 1_000_000  # beside it a cosine says nothing, and far beyond sums overflow


def join_encoders(workspace: Workspace, encoder_ids: Sequence[int], title: str = "") -> EncoderInfo:
    """Adds an encoder whose vectors are those of others side by side, each at unit length.

    Args:
        workspace: whose encoders they are.
        encoder_ids: of the others, in the order of their vectors.
        title: what it is called; told of its parts if empty.

    Raises:
        UserError: fewer than two, one twice, or one that is not there or has no vectors.
    """
    if len(set(encoder_ids)) < max(len(encoder_ids), 2):
        raise UserError(tr("name two encoders or more to be joined, each once"))
    parts = [with_vectors(workspace, encoder_id) for encoder_id in encoder_ids]
    return _add_encoder(
        workspace,
        parts,
        kind="untrained",
        method="joined",
        title=title or _title_of(parts),
        dimension=sum(part.dimension for part in parts),
        parameters={},
    )


def word_mover_encoder(workspace: Workspace, encoder_id: int) -> EncoderInfo:
    """Adds an encoder that ranks names by the word mover's distance over word vectors.

    Raises:
        UserError: the encoder is not there, or has no vectors of words.
    """
    words = with_vectors(workspace, encoder_id)
    if not _has_words(workspace, words):
        raise UserError(
            tr(
                "{encoder} has vectors of whole names alone; choose word vectors or fastText",
                encoder=words.label,
            )
        )
    return _add_encoder(
        workspace,
        [words],
        kind="lexical",
        method=WORD_MOVERS,
        title=Message(WORD_MOVERS_DISTANCE, encoder=f"#{words.id}"),
        dimension=0,
        parameters={"exact_names": EXACT},
    )


def _has_words(workspace: Workspace, encoder: EncoderInfo) -> bool:
    """Whether an encoder has vectors of words: joined ones do if all parts do."""
    if encoder.part_ids:
        return all(_has_words(workspace, find_encoder(workspace, p)) for p in encoder.part_ids)
    return encoder.method in OF_WORDS


def fit_blend(
    workspace: Workspace,
    encoder_id: int,
    ontology: Ontology | None,
    seed: int | None,
    control: JobControl,
    on_message: Callable[[object], None],
) -> EncoderInfo:
    """Adds an encoder blended with TF-IDF; its weight is chosen on an ontology's validation names.

    Args:
        workspace: that it is in.
        encoder_id: of what TF-IDF is added to.
        ontology: whose names; None: those that the encoder was trained on.
        seed: of the split; None: that of the encoder's run, or 0.
        control: to cancel it by.
        on_message: is told of progress.

    Raises:
        UserError: the encoder is not there or has no vectors, no ontology is named and it came of
            no run, or no name is for validation.
        Cancelled: it was cancelled; nothing is added.
    """
    dense = with_vectors(workspace, encoder_id)
    with workspace.store.reading() as connection:
        run = run_behind(connection, encoder_id)
    if ontology is None and run is None:
        raise UserError(
            tr(
                "{encoder} came of no run; say which ontology to choose a weight on, or the weight",
                encoder=dense.label,
            )
        )
    release_id = ontology.id if ontology else run.release_id if run else 0
    if seed is None:
        seed = int(run.request["seed"]) if run else 0
    request = BlendRequest(workspace.folder, encoder_id, release_id, seed)
    fitted: FittedWeight = supervise(fit_weight, request, control, on_message)
    chosen_on = {
        "ontology": release_id,
        "seed": seed,
        "split": fitted.split_id,
        "validation_names": fitted.mentions,
        "map_by_weight": fitted.map_by_weight,
    }
    return blend_encoder(workspace, encoder_id, fitted.weight, chosen_on)


def blend_encoder(
    workspace: Workspace,
    encoder_id: int,
    weight: float,
    chosen_on: dict[str, object] | None = None,
) -> EncoderInfo:
    """Adds an encoder whose similarities are an encoder's cosine, and so much of TF-IDF's.

    Raises:
        UserError: a weight that is no number of 0 to a million, or an encoder that is not there or
            has no vectors.
    """
    if not 0 <= weight <= _LARGEST_WEIGHT:
        raise UserError(
            tr(
                "the weight of the lexical part is {weight}; give one of 0 to {largest:,}",
                weight=weight,
                largest=_LARGEST_WEIGHT,
            )
        )
    dense = with_vectors(workspace, encoder_id)
    return _add_encoder(
        workspace,
        [dense, find_encoder(workspace, LEXICAL)],
        kind="blended",
        method="sparse",
        title=Message(WITH_TFIDF, encoder=dense.kept_label, weight=weight),
        dimension=0,
        parameters={"weight": weight, **(chosen_on or {})},
    )


def _title_of(parts: Sequence[EncoderInfo]) -> Message:
    """Their labels; those of one title are counted, and what was joined before is but a number."""
    many = Counter(part.title for part in parts)
    part_titles = (
        plain_message(f"#{part.id}")
        if part.part_ids
        else part.kept_label
        if many[part.title] == 1
        else Message(EQUAL_PARTS, n=many[part.title], title=part.title)
        for part in parts
    )
    return join_messages(dict.fromkeys(part_titles), " + ")


def with_vectors(workspace: Workspace, encoder_id: int) -> EncoderInfo:
    """An encoder that others can be built on.

    Raises:
        UserError: it is not there, or has no vectors.
    """
    encoder = find_encoder(workspace, encoder_id)
    if not encoder.has_vectors:
        raise UserError(
            tr(
                "{encoder} is {kind}: it has no vectors to build on",
                encoder=encoder.label,
                kind=translated(encoder.kind),
            )
        )
    return encoder


def _add_encoder(
    workspace: Workspace,
    parts: Sequence[EncoderInfo],
    *,
    kind: str,
    method: str,
    title: str,
    dimension: int,
    parameters: dict[str, object],
) -> EncoderInfo:
    hashed = repr(([part.content_hash for part in parts], parameters.get("weight")))
    with workspace.store.writing() as connection:
        new = add_encoder(
            connection,
            kind=kind,
            method=method,
            title=free_title(connection, title),
            dimension=dimension,
            path="",
            content_hash=sha256(hashed.encode()).hexdigest(),
            parameters=parameters,
            part_ids=[part.id for part in parts],
        )
    return find_encoder(workspace, new)
