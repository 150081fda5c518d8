"""Names of a dictionary found in plain text: the longest one from each place on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from termexplorer.trainer.corpora.annotated import AnnotatedLine, Span
from termexplorer.trainer.corpora.text_file import check_text
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize, tokenized_lines

_LINES_PER_TICK = 1000


class NameFinder:
    """Finds names in lines of tokens, by a tree whose branches are tokens.

    Attributes:
        count: the names that are looked for; names of the same tokens are one.
    """

    def __init__(
        self, dictionary: LabelledNames, *, least_characters: int = 4, longest_acronym: int = 5
    ):
        """Build the tree.

        Without their capitals *ALL* and *FACE* are everyday words. So the shortest names and the
        short acronyms, names of one word in capitals, are left out.

        Args:
            dictionary: names and their concepts. A name of several concepts is found without one.
            least_characters: names with fewer letters and digits are left out.
            longest_acronym: acronyms with as many characters or fewer are left out.
        """
        self._number: dict[str, int] = {}  # of each token
        self._width = 1 + sum(map(len, map(tokenize, dictionary.names)))
        self._next: dict[int, int] = {}  # node · width + token: node; the root is 0
        self._concept: dict[int, str | None] = {}  # of the nodes that end a name
        concepts: list[set[str]] = [set() for _ in dictionary.names]
        pairs = zip(dictionary.name_index.tolist(), dictionary.class_index.tolist(), strict=True)
        for name, concept in pairs:
            concepts[name].add(dictionary.classes[concept])
        concepts_by_tokens: dict[tuple[str, ...], set[str]] = {}
        for name, name_concepts in zip(dictionary.names, concepts, strict=True):
            tokens = tuple(tokenize(name))
            size = sum(len(token) for token in tokens if token[0].isalnum())
            acronym = len(tokens) == 1 and name.isupper() and size <= longest_acronym
            if size >= max(least_characters, 1) and not acronym:
                concepts_by_tokens.setdefault(tokens, set()).update(name_concepts)
        for tokens, name_concepts in concepts_by_tokens.items():
            self._add(tokens, next(iter(name_concepts)) if len(name_concepts) == 1 else None)
        self.count = len(concepts_by_tokens)

    def _add(self, tokens: Sequence[str], concept: str | None) -> None:
        node = 0
        for token in tokens:
            step = node * self._width + self._number.setdefault(token, len(self._number))
            node = self._next.setdefault(step, len(self._next) + 1)
        self._concept[node] = concept

    def find(self, tokens: Sequence[str]) -> list[Span]:
        """Return the names in a line, from left to right, each as long as it can be."""
        number, branch, width = self._number, self._next, self._width
        numbers = [number.get(token, -1) for token in tokens]
        spans: list[Span] = []
        start, count = 0, len(numbers)
        while start < count:
            node = branch.get(numbers[start]) if numbers[start] >= 0 else None
            position, end, concept = start + 1, 0, None
            while node is not None:
                if node in self._concept:
                    end, concept = position, self._concept[node]
                if position == count or numbers[position] < 0:
                    break
                node = branch.get(node * width + numbers[position])
                position += 1
            if end:
                spans.append(Span(start, end, concept))
            start = end or start + 1
        return spans


def lines_with_names(
    texts: Iterable[Path], finder: NameFinder, *, tick: Callable[[], None] = lambda: None
) -> Iterator[AnnotatedLine]:
    """Yield the lines of text files, plain or ``.gz``, with the names in them.

    Args:
        texts: a sentence or paragraph a line.
        finder: of the names to mark.
        tick: called every thousand lines; may raise to stop.

    Raises:
        ValueError: for a text file that cannot be read, is no UTF-8 text, or is empty.
    """
    texts = list(texts)
    for path in texts:
        check_text(path)
    for path in texts:
        for line_number, line in enumerate(tokenized_lines(path)):
            if line_number % _LINES_PER_TICK == 0:
                tick()
            tokens = line.split(" ") if line else []
            yield AnnotatedLine(tokens, finder.find(tokens))
