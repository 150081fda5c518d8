"""Whether the names of an ontology are in the language of the built-in encoder, which is English.

Where they are not, TF-IDF is preferred, and it is said why.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from termexplorer.services.encoders.built_in import is_built_in
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.store.releases.corpus import sample_names
from termexplorer.texts import mark, share_text, tr, translated
from termexplorer.workers.ranking.messages import RankingColumn, Rankings
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.built_in import BuiltInEncoder
    from termexplorer.trainer.text.languages import NamesLanguage

_MOST_READ = 2_000  # names of an ontology
_LEAST_KNOWN = 0.5  # of a query
_LANGUAGES = {
    "German": mark("German", sense="language"),
    "French": mark("French", sense="language"),
    "Spanish": mark("Spanish", sense="language"),
}


def find_language(workspace: Workspace, ontology_id: int) -> "NamesLanguage":
    """Return what the names of an ontology say of their language; a sample of them is read."""
    from termexplorer.trainer.text.languages import detect_language

    with workspace.store.looking() as connection:
        names = tuple(sample_names(connection, ontology_id, _MOST_READ))
    return detect_language(names, _read_vocabulary())


def prefers_lexical(workspace: Workspace, ontology_id: int) -> bool:
    """Whether TF-IDF suits an ontology better than the built-in encoder, by its language."""
    return find_language(workspace, ontology_id).foreign


def language_notice(workspace: Workspace, ontology_id: int) -> str:
    """Return why TF-IDF is preferred for an ontology; empty where it is not."""
    names = find_language(workspace, ontology_id)
    if not names.foreign:
        return ""
    share = share_text(names.known)
    if not names.language:
        return tr(
            "The built-in encoder knows only {share} of the words of these names, as its words are "
            "English biomedical ones; TF-IDF suits them better",
            share=share,
        )
    return tr(
        "These names seem to be {language}: the built-in encoder is English and knows only {share} "
        "of their words; TF-IDF suits them better",
        language=translated(_LANGUAGES[names.language], sense="language"),
        share=share,
    )


def with_known_shares(workspace: Workspace, answer: Rankings) -> Rankings:
    """Return rankings with how much of the query the built-in encoder knows by its words."""
    built_in = {encoder.id for encoder in list_encoders(workspace) if is_built_in(encoder)}
    if not any(column.encoder_id in built_in for column in answer.columns):
        return answer
    share = float(_open_built_in().known_shares([answer.request.query.text])[0])
    columns = (
        replace(column, known=share) if column.encoder_id in built_in else column
        for column in answer.columns
    )
    return replace(answer, columns=tuple(columns))


def warn_of_known(column: RankingColumn) -> str:
    """Return that most of a query is known by its spelling alone; empty where it is not."""
    if column.known >= _LEAST_KNOWN:
        return ""
    return tr(
        "{encoder} knows {share} of this text by its words, the rest by spelling alone",
        encoder=column.title,
        share=share_text(column.known),
    )


@lru_cache(maxsize=1)
def _open_built_in() -> "BuiltInEncoder":
    from termexplorer.trainer.built_in import builtin

    return builtin()


@lru_cache(maxsize=1)
def _read_vocabulary() -> Collection[str]:
    return frozenset(_open_built_in().words)
