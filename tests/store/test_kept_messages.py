"""Messages that a workspace keeps, and those that it kept as English text before."""

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from earlier_layouts import earlier_layout
from sqlalchemy import Connection

from termexplorer.errors import UserError
from termexplorer.store.encoders.evaluations import Evaluated, evaluations, put_evaluations
from termexplorer.store.encoders.runs import runs
from termexplorer.store.judging.suggestions import kept_lists
from termexplorer.store.kept_messages import (
    decode_message,
    join_messages,
    plain_message,
    read_message,
    translate_message,
    write_message,
)
from termexplorer.store.migrations import kept_texts_0023 as before
from termexplorer.store.opening import open_store
from termexplorer.store.releases.ontologies import remarks
from termexplorer.store.title_templates import SYNONYM_SETS_BELOW
from termexplorer.texts import join_texts, tr, translated, trn
from termexplorer.trainer.errors import Message
from termexplorer.workers.process import kept_texts

SAMPLES = {":,": 1_234, ":d": 1_200, ":.1f": 0.5, ":.3f": 0.5, ":.4f": 0.1234, "": "a b"}


def fill_template(template: str) -> Message:
    """Return a message of a template, with made-up values."""
    fields = [(name, spec) for _, name, spec, _ in Formatter().parse(template) if name]
    return Message(template, **{name: SAMPLES[f":{spec}" if spec else ""] for name, spec in fields})


@pytest.mark.parametrize(
    "message",
    [
        Message("all of it"),
        Message("{count:,} of {share:.2f}, {why}", count=1_234, share=0.5, why=Message("tokens")),
        plain_message("a {brace} and a “quote”"),
        plain_message(""),
        join_messages([kept_texts.CYCLES.fill(count=1), "ICD-10"]),
    ],
)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    copy = read_message(write_message(message))
    assert (copy, copy.template, copy.values) == (message, message.template, message.values)


@pytest.mark.parametrize(
    "text",
    ["no JSON", "[1]", "3", '{"text": 3}', '{"text": "{a}"}', '{"text": "{", "values": [1]}'],
)
def test_what_is_no_message_is_shown_as_it_stands(text: str) -> None:
    assert isinstance(read_message(text), Message)
    assert isinstance(decode_message(text), Message)
    assert translate_message(read_message("no JSON")) == "no JSON"


def said_in_english() -> dict[str, str]:
    """What a command says, by what it is made of."""
    return {
        "values": tr("{path} holds {n:,} levels", path=Path("a.obo"), n=1_234),
        "one": trn("{n:,} class", "{n:,} classes", 1),
        "many": trn("{n:,} class", "{n:,} classes", 2_000),
        "error": tr("{why}", why=UserError(trn("{n:,} class", "{n:,} classes", 3))),
        "parts": join_texts(("a.obo", trn("{n:,} class", "{n:,} classes", 4)), ": "),
    }


def test_what_was_said_in_english_is_kept_by_its_parts(request: pytest.FixtureRequest) -> None:
    copies = {
        name: pickle.loads(pickle.dumps(text))  # noqa: S301 - as from a child process
        for name, text in said_in_english().items()
    }
    stored = {name: read_message(write_message(plain_message(copies[name]))) for name in copies}
    assert stored == said_in_english()
    assert str(stored["one"]) == "1 class"
    request.getfixturevalue("german")
    german = {name: translate_message(message) for name, message in stored.items()}
    assert german["one"] == "1 Klasse"
    assert german["many"] == "2.000 Klassen"
    assert german["error"] == "3 Klassen"
    assert german["parts"] == "a.obo: 4 Klassen"


def test_an_error_keeps_no_parts_of_a_text_that_it_shows_otherwise() -> None:
    error = UserError(tr("{path} is empty", path="a\nb"))
    assert str(error) == "a ⏎ b is empty"
    assert translate_message(plain_message(str(error))) == "a ⏎ b is empty"


def test_a_message_does_not_change() -> None:
    with pytest.raises(AttributeError, match="template"):
        Message("all of it").template = "nothing"


def test_a_message_is_shown_in_german_with_all_that_is_in_it(german: None) -> None:
    message = kept_texts.OF_SYNONYMS.fill(
        split=Message(
            kept_texts.OF_SPLIT_SETS, id=3, sets=Message(SYNONYM_SETS_BELOW, concept="TOY:1")
        ),
        count=1_234,
        names=2,
    )
    shown = translate_message(message)
    assert message.startswith("split 3 (synonym sets below TOY:1): 1,234 names")
    assert "1.234" in shown
    assert "synonym" not in shown
    assert translate_message(plain_message("Names")) == "Names" != translated("Names")
    listed = join_messages([Message(kept_texts.ABBREVIATIONS), "Names"])
    assert translate_message(listed) == f"{translated(kept_texts.ABBREVIATIONS)}, Names"


def test_kept_texts_have_words_of_their_own_for_one(german: None) -> None:
    message = kept_texts.CYCLES.fill(count=1)
    assert message.startswith("1 is-a link on a cycle")
    assert translate_message(message).startswith("1 Ist-ein-Beziehung in einem Kreis")


def test_evaluations_of_one_time_stand_in_the_order_of_their_titles(tmp_path: Path) -> None:
    store = open_store(tmp_path / "workspace.sqlite")
    titles = (plain_message("b"), Message("{what}", what="c"), Message("a"))
    with store.writing() as connection:
        evaluated = [Evaluated("pairs", title, title, "AUC", ()) for title in titles]
        put_evaluations(connection, evaluated)
    with store.reading() as connection:
        listed = [str(evaluation.title) for evaluation in evaluations(connection)]
    store.close()
    assert listed == ["a", "b", "c"]


def add_old_rows(connection: Connection) -> None:
    """Fill a store of version 0022 with a text of each template, and some of none."""
    run = connection.exec_driver_sql
    run("INSERT INTO terminology VALUES (1, 'toy')")
    run(
        """INSERT INTO release VALUES
        (1, 1, 't', '', '', 'obo', '', '{}', 'ready', '', '', 0, 0, 0, 0, 0)"""
    )
    for text in (*map(fill_template, before.REMARKS), "no row {1}"):
        run("INSERT INTO import_remark VALUES (NULL, 1, 0, 0, 1, ?)", (str(text),))
    notes = [str(fill_template(template)) for template in before.EVALUATIONS]
    run(
        """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen, notes,
        evaluated_at) VALUES ('pairs', 'hash', 'my “pairs”', 'AUC', '[]', '{}', ?, '')""",
        (json.dumps([*notes, "a note"]),),
    )
    for error in ("", str(Message(kept_texts.LEFT)), "a reason"):
        card = {"memory": [str(fill_template(template)) for template in before.RUNS]}
        run(
            """INSERT INTO run VALUES (NULL, 't', 'dan', 'paper', 'failed', 1, 1, NULL, NULL,
            '{}', ?, 'my notes', ?, '', '')""",
            (json.dumps(card), error),
        )
    facts = [str(fill_template(template)) for template in before.FACTS]
    run(
        """INSERT INTO suggestion_list VALUES
        (NULL, 'names', 't', NULL, NULL, '[]', '{}', '[]', ?, '{}', '')""",
        (json.dumps([*facts, "It is good."]),),
    )


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A store that older versions filled, brought up to date."""
    path = tmp_path_factory.mktemp("older") / "workspace.sqlite"
    with earlier_layout(path, "0022") as connection:
        add_old_rows(connection)
    store = open_store(path)
    with store.reading() as reader:
        yield reader
    store.close()


def check_messages(messages: list[Message], templates: tuple[str, ...], plain: list[str]) -> None:
    """Assert that messages say what they said, and are of templates where there is one."""
    assert [str(message) for message in messages] == [*map(fill_template, templates), *plain]
    for message, template in zip(messages, templates, strict=False):
        wanted = fill_template(template)
        assert translate_message(message) == translate_message(wanted), template
    for message in messages[len(templates) :]:
        assert translate_message(message) == str(message)


def test_an_older_workspace_says_what_it_said(migrated: Connection, german: None) -> None:
    texts = [remark.text for remark in remarks(migrated, 1)]  # type: ignore[arg-type]
    check_messages(texts, before.REMARKS, ["no row {1}"])
    (evaluated,) = evaluations(migrated)
    assert str(evaluated.title) == translate_message(evaluated.title) == "my “pairs”"
    check_messages([*evaluated.notes], before.EVALUATIONS, ["a note"])
    (kept_list,) = kept_lists(migrated)
    check_messages([*kept_list.head.facts], before.FACTS, ["It is good."])
    errors = {str(run.error): translate_message(run.error) for run in runs(migrated)}
    assert errors == {
        "": "", kept_texts.LEFT: translated(kept_texts.LEFT), "a reason": "a reason"
    }  # fmt: skip
    for run in runs(migrated):
        check_messages([*map(decode_message, run.card["memory"])], before.RUNS, [])
        assert run.notes == "my notes"


def test_messages_in_older_messages_are_taken_apart_too(tmp_path: Path, german: None) -> None:
    sentence = (
        "Of the pairs there: precision 0.500 at 1, 0.250 at 5 (chance 0.010); calibration error"
    )
    texts = {
        f"{sentence} of likelihoods 0.1000": "Von den Paaren dort: Präzision 0,500 bei 1, 0,250 "
        "bei 5 (Zufall 0,010); Kalibrierungsfehler der Wahrscheinlichkeiten 0,1000",
        "By cross-references that were held out, few-shot, level 1 #3: hit@1 0.500 (0.400 to "
        "0.600, n = 1,200)": "Ebene 1 #3: hit@1 0,500",
    }
    path = tmp_path / "workspace.sqlite"
    with earlier_layout(path, "0022") as connection:
        connection.exec_driver_sql(
            """INSERT INTO suggestion_list VALUES
            (NULL, 'names', 't', NULL, NULL, '[]', '{}', '[]', ?, '{}', '')""",
            (json.dumps([*texts]),),
        )
    store = open_store(path)
    with store.reading() as reader:
        facts = kept_lists(reader)[0].head.facts
    store.close()
    assert [*map(str, facts)] == [*texts]
    for fact, wanted in zip(facts, texts.values(), strict=True):
        assert wanted in translate_message(fact)


@pytest.mark.parametrize(
    ("text", "german_text"),
    [
        ("names left out: 1, unknown words", "1, unbekannte Wörter"),
        ("names left out: 12, tokens", "12, zu viele Token"),
        ("names left out: 3, several classes", "3, mehrere Klassen"),
        ("names left out: 3, no UMLS code", "3, kein Code aus UMLS"),
    ],
)
def test_names_that_were_left_out_are_told_in_german(
    tmp_path: Path, german: None, text: str, german_text: str
) -> None:
    path = tmp_path / "workspace.sqlite"
    with earlier_layout(path, "0022") as connection:
        connection.exec_driver_sql(
            """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen, notes,
            evaluated_at) VALUES ('synonyms', 'hash', '', 'mAP', '[]', '{}', ?, '')""",
            (json.dumps([text]),),
        )
    store = open_store(path)
    with store.reading() as reader:
        (note,) = evaluations(reader)[0].notes
    store.close()
    assert translate_message(note).endswith(german_text)
