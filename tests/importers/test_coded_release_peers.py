"""RF2, RRF and PubTator against plain readings of generated files: each row is stored or told."""

import csv
import re
from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st
from importing import names, read, write

SYNONYM, FULL = "900000000000013009", "900000000000003001"
IS_A, FINDING_SITE = "116680003", "363698007"
INFERRED, STATED = "900000000000011006", "900000000000010007"
US, GB = "900000000000509007", "900000000000508004"
PREFERRED, ACCEPTABLE = "900000000000548007", "900000000000549004"
MODULE = "900000000000207008"
STATE = ("id", "effectiveTime", "active", "moduleId")
RF2_COLUMNS = {
    "Terminology/sct2_Concept_Snapshot_INT_20240131.txt": (*STATE, "definitionStatusId"),
    "Terminology/sct2_Description_Snapshot-en_INT_20240131.txt": (
        *STATE, "conceptId", "languageCode", "typeId", "term", "caseSignificanceId",
    ),
    "Terminology/sct2_Relationship_Snapshot_INT_20240131.txt": (
        *STATE, "sourceId", "destinationId", "relationshipGroup", "typeId",
        "characteristicTypeId", "modifierId",
    ),
    "Refset/Language/der2_cRefset_LanguageSnapshot-en_INT_20240131.txt": (
        *STATE, "refsetId", "referencedComponentId", "acceptabilityId",
    ),
}  # fmt: skip
CONCEPTS, DESCRIPTIONS, LINKS, LISTED = RF2_COLUMNS
ACTIVE = st.sampled_from("1110")
NAME = st.from_regex(r"[a-zäé][a-z ,()-]{0,8}[a-z]", fullmatch=True).map(
    lambda text: " ".join(text.split())
)


@st.composite
def rf2_rows(draw):
    """Rows of each file without their last columns, by the file."""
    count = draw(st.integers(1, 5))
    concepts = [f"{n}{n}10" for n in range(1, count + 1)]
    any_concept = st.sampled_from(concepts)
    described = [
        (concept, draw(st.sampled_from(["en", "en", "de"])), kind, f"{draw(NAME)} {n}")
        for n, (concept, kind) in enumerate(
            [(c, FULL) for c in concepts]
            + draw(st.lists(st.tuples(any_concept, st.just(SYNONYM)), max_size=10))
        )
    ]
    linked = draw(
        st.lists(
            st.tuples(
                any_concept, any_concept, st.sampled_from([IS_A, IS_A, FINDING_SITE]),
                st.sampled_from([INFERRED, INFERRED, STATED]),
            ),
            max_size=8,
        )
    )  # fmt: skip
    graded = st.tuples(st.sampled_from([US, GB]), st.sampled_from([PREFERRED, ACCEPTABLE]))
    drawn = [draw(graded) for _ in described]
    listed = [
        (dialect, f"{5000 + n}", grade)
        for n, (dialect, grade) in enumerate(drawn)
        if draw(st.booleans())
    ]
    # one of each dialect and language, so that they can be chosen
    listed += [(US, "5000", PREFERRED)]
    state = ("20240131", MODULE)
    uuid = "00000000-0000-0000-0000-{:012d}".format
    return {
        CONCEPTS: [(c, state[0], draw(ACTIVE), state[1], "0") for c in concepts],
        DESCRIPTIONS: [
            (f"{5000 + n}", state[0], draw(ACTIVE) if n else "1", state[1], c,
             language if n else "en", kind, term, "0")
            for n, (c, language, kind, term) in enumerate(described)
        ],
        LINKS: [
            (f"{7000 + n}", state[0], draw(ACTIVE), state[1], child, parent, "0", kind, sort, "0")
            for n, (child, parent, kind, sort) in enumerate(linked)
        ],
        LISTED: [
            (uuid(n), state[0], draw(ACTIVE) if n < len(listed) - 1 else "1", state[1], *row)
            for n, row in enumerate(listed)
        ],
    }  # fmt: skip


def write_rf2(folder, rows):
    for name, columns in RF2_COLUMNS.items():
        path = folder / "Snapshot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("\t".join(r) + "\r\n" for r in (columns, *rows[name])), "utf-8")
    return folder


def rows_in(folder, name):
    with (folder / "Snapshot" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@settings(max_examples=15)
@given(rf2_rows())
def test_each_row_of_rf2_is_stored_or_told(tmp_path_factory, rows):
    folder = write_rf2(tmp_path_factory.mktemp("rf2"), rows)
    imported = read("rf2", folder)
    assert not imported.skipped
    assert len(imported.concepts) == len(rows_in(folder, CONCEPTS))
    assert sum(c.obsolete for c in imported.concepts) == sum(
        row["active"] == "0" for row in rows_in(folder, CONCEPTS)
    )
    descriptions, links = rows_in(folder, DESCRIPTIONS), rows_in(folder, LINKS)
    listed = rows_in(folder, LISTED)
    inactive = sum(
        row["active"] == "0"
        for row in [
            *descriptions,
            *(r for r in links if (r["typeId"], r["characteristicTypeId"]) == (IS_A, INFERRED)),
            *(r for r in listed if r["refsetId"] == US),
        ]
    )
    assert imported.note("inactive rows") == inactive
    is_a = [row for row in links if row["typeId"] == IS_A]
    assert imported.note("attributes") == len(links) - len(is_a)
    assert imported.note("stated links") == sum(r["characteristicTypeId"] == STATED for r in is_a)
    stored = {(c.code, parent.partition(":")[2]) for c in imported.concepts for parent in c.parents}
    assert stored == {
        (row["sourceId"], row["destinationId"])
        for row in is_a
        if (row["active"], row["characteristicTypeId"]) == ("1", INFERRED)
    }
    accepted = {
        row["referencedComponentId"]
        for row in listed
        if (row["refsetId"], row["active"]) == (US, "1")
    }
    active = [row for row in descriptions if row["active"] == "1"]
    english_rows = [row for row in active if row["languageCode"] == "en" or row["id"] in accepted]
    assert imported.note("other languages") == len(active) - len(english_rows)
    stored_names = {
        (concept.code, name) for concept in imported.concepts for name in names(concept)
    }
    lost = [row for row in english_rows if (row["conceptId"], row["term"]) not in stored_names]
    assert len(lost) == imported.note("not listed")
    assert not {row["id"] for row in lost} & accepted


def atom(number, cui, language, source, suppressed, text):
    return (
        f"C{cui:07d}", language, "P", f"L{number:07d}", "PF", f"S{number:07d}", "Y",
        f"A{number:07d}", "", "", "", source, "PT", f"D{number:06d}", text, "0", suppressed, "256",
    )  # fmt: skip


ATOMS = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(["ENG", "ENG", "SPA"]),
        st.sampled_from(["MSH", "MSH", "NCI"]),
        st.sampled_from("NNO"),
        st.one_of(NAME, NAME, st.just("")),
    ),
    max_size=10,
)
RELATIONS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["PAR", "PAR", "RO"]), st.integers(1, 4)),
    max_size=6,
)


@settings(max_examples=15)
@given(ATOMS, RELATIONS)
def test_each_row_of_rrf_is_stored_or_told(tmp_path_factory, atoms, relations):
    folder = tmp_path_factory.mktemp("rrf")
    sound = [(1, "ENG", "MSH", "N", "sound"), (9, "ENG", "MSH", "N", "above")]
    rows = [
        atom(n, *row[:-1], row[-1] and f"{row[-1]} {n}") for n, row in enumerate([*sound, *atoms])
    ]
    related = [
        (f"C{first:07d}", "", "CUI", kind, f"C{second:07d}", "", "CUI", "", f"R{n}", "", "MSH",
         "MSH", "", "", "N", "")
        for n, (first, kind, second) in enumerate([(1, "PAR", 9), *relations])
    ]  # fmt: skip
    typed = [("C0000001", "T047", "B2.2.1.2.1", "Disease or Syndrome", "AT1", "")]
    for name, lines in (("MRCONSO", rows), ("MRREL", related), ("MRSTY", typed)):
        write(folder, f"{name}.RRF", "".join("|".join(row) + "|\n" for row in lines))
    choices = {"sources": ("MSH",)} if any(row[11] == "NCI" for row in rows) else {}
    imported = read("rrf", folder, choices=choices)
    listed = [line.split("|") for line in (folder / "MRCONSO.RRF").read_text("utf-8").splitlines()]
    empty = [row for row in listed if not row[14]]
    no_names = [skipped_line for skipped_line in imported.skipped if "STR" in skipped_line.reason]
    assert len(no_names) == len(empty)
    named = {row[0] for row in listed if row[14]}
    unknown = [row for row in related if row[3] == "PAR" and not {row[0], row[4]} <= named]
    assert len(
        {skipped_line.line for skipped_line in imported.skipped if skipped_line not in no_names}
    ) == len(unknown)
    sound = [row for row in listed if row[14]]
    wanted = [row for row in sound if (row[1], row[11], row[16]) == ("ENG", "MSH", "N")]
    texts = defaultdict(set)
    for row in wanted:
        texts[row[0]].add(row[14])
    assert {c.code: set(names(c)) for c in imported.concepts} == texts
    assert imported.note("other names") == len(sound) - len(wanted)
    assert imported.note("other relations") == sum(row[3] != "PAR" for row in related)
    above = {(c.code, parent.partition(":")[2]) for c in imported.concepts for parent in c.parents}
    assert above == {
        (row[0], row[4]) for row in related if row[3] == "PAR" and {row[0], row[4]} <= texts.keys()
    }


MENTIONS = st.lists(
    st.tuples(
        st.sampled_from(["flu", "grippe", "ear ache", "aspirin"]),
        st.sampled_from(["D000001", "D000002", "-1", "D000003|D000004"]),
    ),
    min_size=1,
    max_size=8,
)


@given(st.lists(MENTIONS, min_size=1, max_size=3))
def test_each_mention_of_pubtator_is_stored_or_told(tmp_path_factory, documents):
    blocks = []
    for number, mentions in enumerate([[("flu", "D000001")], *documents], 1):
        text, rows = "", []
        for word, concept in mentions:
            start = len(text)
            text += f"{word} "
            rows.append(f"{number}\t{start}\t{start + len(word)}\t{word}\tDisease\t{concept}\n")
        blocks.append(f"{number}|t|{text.strip()}\n{number}|a|\n{''.join(rows)}")
    path = write(tmp_path_factory.mktemp("pubtator"), "c.txt", "\n".join(blocks))
    imported = read("pubtator", path)
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    mentioned = [(cells[3], cells[5]) for cells in lines if len(cells) == 6]
    sorts = Counter(
        "composite" if "|" in concept else "mentions" if re.match("D", concept) else "no concept"
        for _, concept in mentioned
    )
    assert {kind: imported.note(kind) for kind in ("mentions", "composite", "no concept")} == {
        kind: sorts[kind] for kind in ("mentions", "composite", "no concept")
    }
    assert sum(sorts.values()) == len(mentioned)
    assert {c.curie: set(names(c)) for c in imported.concepts} == {
        f"MESH:{concept}": {word for word, identifier in mentioned if identifier == concept}
        for _, concept in mentioned
        if concept in ("D000001", "D000002")
    }


VALID = "20020131\t20991231\t"
OMOP = {
    "CONCEPT.csv": "concept_id\tconcept_name\tdomain_id\tvocabulary_id\tconcept_class_id\t"
    "standard_concept\tconcept_code\tvalid_start_date\tvalid_end_date\tinvalid_reason",
    "CONCEPT_RELATIONSHIP.csv": "concept_id_1\tconcept_id_2\trelationship_id\tvalid_start_date\t"
    "valid_end_date\tinvalid_reason",
    "CONCEPT_SYNONYM.csv": "concept_id\tconcept_synonym_name\tlanguage_concept_id",
}
ENGLISH, SPANISH = "4180186", "4182511"
SYNONYMS = st.lists(st.tuples(st.integers(1, 3), NAME, st.sampled_from([ENGLISH, SPANISH])))


@settings(max_examples=15)
@given(SYNONYMS, st.one_of(NAME, st.just("")))
def test_each_synonym_of_omop_is_stored_or_told(tmp_path_factory, synonyms, first):
    folder = tmp_path_factory.mktemp("omop")
    sound = [(1, "english", ENGLISH), (1, "spanish", SPANISH)]
    synonym_rows = [(number, f"{name} {n}", code) for n, (number, name, code) in
            enumerate([*sound, *synonyms])]  # fmt: skip
    rows = {
        "CONCEPT.csv": [
            f"{n}\t{name}\tCondition\t{source}\tFinding\tS\t{n}00\t{VALID}"
            for n, (name, source) in enumerate(
                [(first, "SNOMED"), ("two", "SNOMED"), ("three", "LOINC")], 1
            )
        ],
        "CONCEPT_RELATIONSHIP.csv": [f"2\t1\tIs a\t{VALID}"],
        "CONCEPT_SYNONYM.csv": [f"{n}\t{name}\t{code}" for n, name, code in synonym_rows],
    }
    for name, header in OMOP.items():
        write(folder, name, "".join(f"{line}\n" for line in (header, *rows[name])))
    chosen = {"vocabularies": ("SNOMED",), "languages": (ENGLISH,)}
    imported = read("omop", folder, choices=chosen)
    assert not imported.skipped
    stored = {name for concept in imported.concepts for name in names(concept)[1:]}
    assert stored == {name for n, name, code in synonym_rows if n < 3 and code == ENGLISH}
    assert imported.note("other languages") == sum(code != ENGLISH for *_, code in synonym_rows)
    assert imported.note("other synonyms") == sum(
        n == 3 and code == ENGLISH for n, _, code in synonym_rows
    )
    assert imported.note("without name") == (not first)
