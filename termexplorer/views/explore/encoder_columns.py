"""Which encoders stand side by side as long as nobody chose any, and beside what one chose."""

from collections.abc import Collection, Sequence

from termexplorer.services.encoders.built_in import is_built_in, sort_own_last
from termexplorer.services.encoders.encoders import EncoderInfo

_MOST_ADDED = 3  # columns; one more would be too narrow to read beside them


def usual_columns(
    encoders: Sequence[EncoderInfo], trained_here: Collection[int], *, lexical_alone: bool = False
) -> list[int]:
    """The newest encoder trained on the release beside what lies beneath; else what there is.

    Args:
        encoders: all, by id.
        trained_here: ids of those that were trained on the release on show.
        lexical_alone: whether the built-in encoder does not suit its language.
    """
    newest = next((e for e in reversed(encoders) if e.id in trained_here), None)
    if newest is not None:
        return [newest.id] if newest.input_id is None else [newest.input_id, newest.id]
    lexical = [encoder.id for encoder in encoders if encoder.kind == "lexical"]
    untrained = [encoder for encoder in encoders if encoder.kind == "untrained"]
    if lexical_alone:
        untrained = [encoder for encoder in untrained if not is_built_in(encoder)]
    return [*lexical[:1], *(encoder.id for encoder in sort_own_last(untrained)[-1:])]


def added_column(
    chosen: Sequence[int], trained_here: Collection[int], newest_seen: int
) -> int | None:
    """The encoder to show beside those that the user chose: one that he has not seen yet."""
    fresh = [id_ for id_ in trained_here if id_ > newest_seen and id_ not in chosen]
    return max(fresh) if fresh and len(chosen) < _MOST_ADDED else None
