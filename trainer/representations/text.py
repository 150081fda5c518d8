"""What vectors are trained on: names, definitions, text files and annotated documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from termexplorer.trainer.corpora.annotated import AnnotatedLine, annotated_lines
from termexplorer.trainer.corpora.dictionary import Dictionary
from termexplorer.trainer.corpora.dictionary_matching import NameFinder, lines_with_names
from termexplorer.trainer.corpora.pubtator import read_pubtator
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize

LINES_PER_TICK = 1000


@dataclass(frozen=True, eq=False)
class TrainingText:
    """Text to train on.

    Attributes:
        names: names of concepts: to be read, and to be found in the rest.
        definitions: sentences or paragraphs.
        files: text files, plain or ``.gz``, a sentence or paragraph a line.
        pubtator: files of annotated documents; see ``read_pubtator``.
        alternatives: further ids that annotated documents may have, each with that of ``names``.
    """

    names: LabelledNames
    definitions: Sequence[str] = ()
    files: Sequence[Path] = ()
    pubtator: Sequence[Path] = ()
    alternatives: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """Yield all but the text files: names, definitions, titles and abstracts.

        Raises:
            ValueError: for a PubTator file that cannot be read; see ``read_pubtator``.
        """
        yield from self.names.names
        yield from self.definitions
        for path in self.pubtator:
            for document in read_pubtator(path):
                yield document.title
                yield document.abstract

    def marked_lines(self, tick: Callable[[], None] = lambda: None) -> Iterator[AnnotatedLine]:
        """Yield everything with the names in it marked.

        In definitions and text files those are the ones of ``names``; in annotated documents what
        is annotated, by the ids of ``names`` where these have the concept. The names themselves
        are lines in which nothing is marked.

        Args:
            tick: called every thousand lines; may raise to stop.

        Raises:
            ValueError: for a file that cannot be read.
        """
        finder = NameFinder(self.names)
        for line_number, text in enumerate((*self.names.names, *self.definitions)):
            if line_number % LINES_PER_TICK == 0:
                tick()
            tokens = tokenize(text)
            is_name = line_number < len(self.names.names)
            yield AnnotatedLine(tokens, [] if is_name else finder.find(tokens))
        yield from lines_with_names(self.files, finder, tick=tick)
        dictionary = Dictionary(self.names, self.alternatives) if self.pubtator else None
        for path in self.pubtator:
            tick()
            for line in annotated_lines(read_pubtator(path)):
                yield _known_as(line, dictionary) if dictionary else line


def _known_as(line: AnnotatedLine, dictionary: Dictionary) -> AnnotatedLine:
    """Return a line with the concepts named as the dictionary names them, where it has them."""
    spans = []
    for span in line.spans:
        number = -1 if span.concept is None else dictionary.concept(span.concept)
        named = span.concept if number < 0 else dictionary.names.classes[number]
        spans.append(span._replace(concept=named))
    return AnnotatedLine(line.tokens, spans)
