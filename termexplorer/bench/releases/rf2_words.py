"""Made-up names of concepts, as long and as varied as those of a clinical terminology."""

import random
import re

_SYLLABLES = re.findall(
    "[a-z]+",
    "ar bron cal der ec fib gas hep il jun kal lar mel neph os pan quin rhe scler thym ur vas xer"
    " zyg ac bi cor dent ent fac gen hyd is ket lact myc nod oc",
)
_ENDINGS = ("itis", "oma", "osis", "ia", "al", "ic", "a", "ous", "um", "ectomy")
_TAGS = ("disorder", "finding", "procedure", "body structure", "organism", "substance")


class NameGenerator:
    """Draws names; the same ones from the same random numbers.

    Args:
        draw: Gives them.
        count: Of different words.
    """

    def __init__(self, draw: random.Random, count: int) -> None:
        self._draw = draw
        self._words = [self._word() for _ in range(count)]

    def name(self) -> str:
        """A name of two to seven words, some of them common and most of them rare."""
        count = self._draw.randint(2, 7)
        words = [
            self._words[int(len(self._words) * self._draw.random() ** 3)] for _ in range(count)
        ]
        if count > 4:
            words[count // 2] = self._draw.choice(("of", "due to", "with", "and"))
        return " ".join(words).capitalize()

    def tag(self, number: int) -> str:
        """A semantic tag: neighbouring concepts often share theirs."""
        return _TAGS[number // 5 % len(_TAGS)]

    def definition(self) -> str:
        """A sentence or two."""
        return ". ".join(self.name() for _ in range(self._draw.randint(2, 4))) + "."

    def _word(self) -> str:
        syllables = self._draw.choices(_SYLLABLES, k=self._draw.randint(1, 3))
        return "".join(syllables) + self._draw.choice(_ENDINGS)
