"""Encoders named by their titles, where commands take ids."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from termexplorer.errors import UserError

if TYPE_CHECKING:
    from termexplorer.services.encoders.encoders import EncoderInfo

_BUILT_IN, _LEXICAL = "built-in", "tf-idf"  # titles, as options have them by default
_SPARED = re.compile(r"[\W_]+")


def accept_titles(command: Any, parameter: Any) -> None:
    """Have an option or argument take the title of an encoder as well as its id.

    Titles are looked up once all else of the command line is known to be right, and the command
    runs; help and refusals of other options need no workspace.
    """
    process, invoke = parameter.process_value, command.invoke

    def process_titles(context: Any, value: Any) -> Any:
        if any(_is_title(text) for text in _texts_of(value)):
            return value
        return process(context, value)

    def invoke_with_ids(context: Any) -> Any:
        value = context.params.get(parameter.name)
        texts = _texts_of(value)
        if _is_by_default(context, parameter):
            texts = list(_suit_language(context, texts))
        if any(_is_title(text) for text in texts):
            encoders = _list_encoders(context.params.get("workspace"), texts)
            ids = [_find_id(encoders, text) if _is_title(text) else text for text in texts]
            ids_given = ids if isinstance(value, list | tuple) else ids[0]
            context.params[parameter.name] = process(context, ids_given)
        return invoke(context)

    parameter.process_value, command.invoke = process_titles, invoke_with_ids


def _texts_of(value: Any) -> list[Any]:
    """Return what was given for an option, which may be repeated."""
    return list(value) if isinstance(value, list | tuple) else [value]


def choose_by_default(option: Any, titles: Sequence[str]) -> None:
    """Have an option take encoders by title where none is given, and say so in its help."""
    single = not option.multiple
    option.required, option.default = False, titles[0] if single else list(titles)
    option.show_default = " and ".join(titles[:1] if single else titles)


def _is_by_default(context: Any, parameter: Any) -> bool:
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "DEFAULT" and bool(parameter.default)


def _suit_language(context: Any, titles: Sequence[str]) -> Sequence[str]:
    """Return TF-IDF in the place of the built-in encoder for names in another language.

    A run is trained on vectors, which TF-IDF has not: there it is only said.
    """
    from termexplorer.cli.opening import opened
    from termexplorer.services.encoders.names_language import language_notice
    from termexplorer.services.explore.ontologies import find_ontology

    ontology = context.params.get("ontology")
    if not ontology or not isinstance(ontology, str):
        return titles
    try:
        with opened(context.params.get("workspace")) as workspace:
            notice = language_notice(workspace, find_ontology(workspace, ontology).id)
    except UserError:
        return titles  # the command itself says so
    if not notice:
        return titles
    typer.echo(f"{notice}.", err=True)
    if "vectors" in context.params:
        return titles
    return [_LEXICAL, *(title for title in titles if title not in (_BUILT_IN, _LEXICAL))]


def _is_title(text: object) -> bool:
    return isinstance(text, str) and not text.strip().isdecimal()


def _list_encoders(folder: Path | None, texts: Iterable[str]) -> list["EncoderInfo"]:
    """List the encoders of a workspace, the built-in one among them where that is asked for."""
    from termexplorer.cli.opening import opened  # brings in SQLAlchemy
    from termexplorer.services.encoders.built_in import ensure_built_in
    from termexplorer.services.encoders.encoders import list_encoders
    from termexplorer.store.title_templates import BUILT_IN

    with opened(folder) as workspace:
        if _fold_title(BUILT_IN) in map(_fold_title, texts):
            ensure_built_in(workspace)
        return list_encoders(workspace)


def _find_id(encoders: Sequence["EncoderInfo"], text: str) -> str:
    """Return the id that a title stands for.

    Raises:
        UserError: no encoder is called so, or several are.
    """
    wanted = _fold_title(text)
    exact = [
        encoder
        for encoder in encoders
        if wanted in map(_fold_title, (encoder.title, encoder.label))
    ]
    matching = exact or [encoder for encoder in encoders if wanted == _fold_title(encoder.method)]
    if len(matching) == 1:
        return str(matching[0].id)
    raise UserError(
        _describe_failure(text, [encoder.label for encoder in matching or encoders], bool(matching))
    )


def _fold_title(text: str) -> str:
    return _SPARED.sub("", text).casefold()


def _describe_failure(text: str, labels: Sequence[str], are_several: bool) -> str:
    if are_several:
        return f"“{text}” may be {' or '.join(labels)}; give the id"
    known = ", ".join(labels[:12])
    more = f" and {len(labels) - 12:,} more" if len(labels) > 12 else ""
    return f"no encoder is called “{text}”; there are {known}{more}: give a title, or an id"
