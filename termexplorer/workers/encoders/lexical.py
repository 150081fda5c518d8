"""Lexical encoders fitted on the names that are ranked."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from termexplorer.store.encoders.infos import WORD_MOVERS, EncoderInfo
from termexplorer.workers.encoders.encoding import Encoders

if TYPE_CHECKING:
    from termexplorer.trainer.representations.lexical_names import LexicalNames


def fitted(
    encoders: Encoders,
    lexical: EncoderInfo,
    names: Sequence[str],
    tick: Callable[[], None] = lambda: None,
) -> "LexicalNames":
    """An index of names by a lexical encoder.

    Args:
        encoders: of the workspace.
        lexical: the encoder.
        names: to index.
        tick: called often while similarities are found that take long; may raise to stop.

    Raises:
        UserError: the word vectors that it moves words by are not there.
        ValueError: the names cannot be indexed.
    """
    from termexplorer.trainer.lexical import fit
    from termexplorer.trainer.lexical.word_movers import WordMoverNames

    if lexical.method == WORD_MOVERS:
        (words,) = lexical.part_ids
        return WordMoverNames(names, encoders.words(words), tick=tick)
    return fit(lexical.method, names)
