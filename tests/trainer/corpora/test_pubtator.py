from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.corpora.pubtator import (
    Document,
    Mention,
    names_of_concepts,
    read_pubtator,
)

GOOD = (
    "12|t|Ocular and auditory toxicity\r\n"
    "12|a|Toxicity of β-blockers | a case.\r\n"
    "12\t0\t28\tOcular and auditory toxicity\tDisease\tD014786|D006311\t"
    "Ocular toxicity|auditory toxicity\r\n"
    "12\t29\t37\tToxicity\tDisease\t-1\r\n"
    "12\t41\t51\tβ-blockers\tChemical\tMESH:D000319\r\n"
    "12\tCID\tMESH:D000319\tD014786\r\n"
    "\r\n"
    "\r\n"
    "13|t|toxicity\n"
    "13|a|\n"
    "13\t0\t8\ttoxicity\tDisease\tD064420,D064420\n"
)


def written(folder: Path, content: str, name: str = "corpus.txt") -> Path:
    path = folder / name
    raw = content.encode()
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


@pytest.mark.parametrize("name", ["corpus.txt", "corpus.pubtator.gz"])
def test_documents_are_read_and_relations_skipped(tmp_path: Path, name: str) -> None:
    first, second = read_pubtator(written(tmp_path, "\ufeff" + GOOD, name))
    assert first.text == "Ocular and auditory toxicity Toxicity of β-blockers | a case."
    composite, nothing, chemical = first.mentions
    assert composite.concepts == ("D014786", "D006311")
    assert composite.parts == ("Ocular toxicity", "auditory toxicity")
    assert (nothing.concepts, nothing.parts) == ((), ())
    assert (chemical.kind, chemical.concepts) == ("Chemical", ("MESH:D000319",))
    twice_one = Mention(0, 8, "toxicity", "Disease", ("D064420",))
    assert second == Document("13", "toxicity", "", (twice_one,))


def test_mentions_are_names_of_their_concepts(tmp_path: Path) -> None:
    documents = list(
        read_pubtator(written(tmp_path, GOOD + "\n" + GOOD.replace("toxicity", "TOXICITY")))
    )
    names = names_of_concepts(documents, {"Disease"})
    assert names.names == ("Ocular toxicity", "auditory toxicity", "toxicity")
    assert names.classes == ("D014786", "D006311", "D064420")
    assert [part.tolist() for part in names.members()] == [[0], [1], [2]]
    assert "MESH:D000319" in names_of_concepts(documents).classes
    assert names_of_concepts([]).names == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no document"),
        ("\n\n", "holds no document"),
        ("name,parent\n", r"line 1: expected `ID\|t\|title`"),
        ("1|t|a\n", r"line 2: expected `ID\|a\|abstract`.* cut off"),
        ("1|t|a\n\n1|a|b\n", r"line 2: expected `ID\|a\|abstract`"),
        ("1|t|a\n2|a|b\n", "line 2: the title of 1 is followed by the abstract of 2"),
        ("1|t|a\n1|a|b\n1\t0\t1\ta\n", "line 3: expected id, start, end"),
        ("1|t|a\n1|a|b\n1\t0", "line 3: expected id, start, end"),
        ("1|t|a\n1|a|b\n1\t-1\t1\ta\tDisease\tD1\n", "line 3: expected id, start, end"),
        ("1|t|a\n1|a|b\n1\t0\t1\tb\tDisease\tD1\n", "line 3: characters 0 to 1 .* 'a', not 'b'"),
        ("1|t|a\n1|a|b\n1\t5\t5\t\tDisease\tD1\n", "line 3: characters 5 to 5"),
        ("1|t|a\n1|a|b\n2|t|c\n", "line 3: expected an annotation of 1, or an empty line"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(ValueError, match=message) as caught:
        list(read_pubtator(path))
    assert str(path) in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, (GOOD + "\n") * 50, "cut.gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"cut\.gz cannot be read"):
        list(read_pubtator(path))
    path = tmp_path / "latin.txt"
    path.write_bytes(b"1|t|a\n1|a|\xe9\n")
    with pytest.raises(ValueError, match=r"latin\.txt, line 2: byte 5 is not UTF-8"):
        list(read_pubtator(path))
    with pytest.raises(ValueError, match=r"none\.txt cannot be read"):
        list(read_pubtator(tmp_path / "none.txt"))


TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)
IDS = st.lists(st.from_regex(r"[CD][0-9]{1,6}", fullmatch=True), max_size=3, unique=True)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    title, abstract = draw(TEXT), draw(TEXT)
    text = f"{title} {abstract}"
    mentions = []
    for start in draw(st.lists(st.integers(0, len(text) - 1), max_size=4)):
        end = draw(st.integers(start + 1, len(text)))
        ids = draw(IDS)
        parts = tuple(ids) if len(ids) > 1 and draw(st.booleans()) else ()
        mentions.append(Mention(start, end, text[start:end], "Disease", tuple(ids), parts))
    return Document(str(draw(st.integers(1, 99_999_999))), title, abstract, tuple(mentions))


def as_pubtator(document: Document) -> str:
    lines = [f"{document.id}|t|{document.title}", f"{document.id}|a|{document.abstract}"]
    for mention in document.mentions:
        ids = "|".join(mention.concepts) or "-1"
        fields = [document.id, mention.start, mention.end, mention.text, mention.kind, ids]
        lines.append("\t".join(map(str, [*fields, "|".join(mention.parts)])))
    return "\n".join(lines) + "\n"


@given(st.lists(documents(), min_size=1, max_size=4))
def test_what_is_written_is_read(pubtator_documents: list[Document]) -> None:
    with TemporaryDirectory() as folder:
        path = written(
            Path(folder), "\n".join(as_pubtator(document) for document in pubtator_documents)
        )
        assert list(read_pubtator(path)) == pubtator_documents
