"""What can be chosen of a file before it is imported, with counts: vocabularies, languages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from termexplorer.errors import UserError
from termexplorer.texts import tr

CHOICES = "choices"  # the option of an importer that holds key -> values
_TOLD = 30  # values that an error lists


@dataclass(frozen=True, slots=True)
class Option:
    """One value that can be chosen.

    Attributes:
        value: What a request names it by.
        label: What people call it; the value where they have no better word.
        count: How often it is there, in what the choice counts; -1 where nobody counted.
    """

    value: str
    label: str
    count: int = -1


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """A choice that a file offers.

    Attributes:
        key: What a request names it by: `sources`, `languages`, ...
        title: For people.
        options: The values, the most frequent or usual first.
        usual: The values that are taken unless told otherwise.
        several: Whether several can be chosen at once.
        counted: What `count` counts (`names`), or "".
        hint: A sentence on what the choice does.
    """

    key: str
    title: str
    options: tuple[Option, ...]
    usual: tuple[str, ...]
    several: bool = True
    counted: str = ""
    hint: str = ""


def chosen(
    choices: Sequence[ImportChoice], options: Mapping[str, object]
) -> dict[str, tuple[str, ...]]:
    """The values of each choice: those asked for, else the usual ones.

    Args:
        choices: What there is.
        options: Of an importer; `choices` holds key -> values, of some of the choices; case is
            ignored.

    Raises:
        UserError: A key or a value is not there, or one choice was to have several values.
    """
    asked = cast(Mapping[str, Iterable[str]], options.get(CHOICES) or {})
    choice_by_key = {choice.key: choice for choice in choices}
    if unknown := sorted(set(asked) - set(choice_by_key)):
        raise UserError(
            tr(
                "nothing called {key!r} to choose; {offered}",
                key=unknown[0],
                offered=_offer_text(choice_by_key),
            )
        )
    return {
        key: _choice_values(choice, tuple(asked[key])) if key in asked else choice.usual
        for key, choice in choice_by_key.items()
    }


def _offer_text(keys: Iterable[str]) -> str:
    names = ", ".join(keys)
    return (
        tr("there are {names}", names=names)
        if names
        else tr("there is nothing to choose of this file")
    )


def _choice_values(choice: ImportChoice, asked: tuple[str, ...]) -> tuple[str, ...]:
    by_name = {option.value.casefold(): option.value for option in choice.options}
    for asked_value in asked:
        if asked_value.casefold() not in by_name:
            offered = ", ".join(option.value for option in choice.options[:_TOLD])
            more = ", …" if len(choice.options) > _TOLD else ""
            raise UserError(
                tr(
                    "no {value!r} among {choice}; there are {there}",
                    value=asked_value,
                    choice=choice.key,
                    there=offered + more,
                )
            )
    if not choice.several and len(asked) != 1:
        raise UserError(
            tr("one value of {choice} can be chosen, not {n}", choice=choice.key, n=len(asked))
        )
    return tuple(dict.fromkeys(by_name[value.casefold()] for value in asked))
