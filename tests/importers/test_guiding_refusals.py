"""What cannot be imported leads on to what can be done with it, and what is not there to names."""

import errno
import json
import os

import pytest
from importing import read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect
from termexplorer.services.studies.envelopes import ANSWERS, PACK, write_envelope
from termexplorer.system_reasons import tell_reason
from termexplorer.trainer.errors import describe_os_error
from termexplorer.workers.data.pair_folder import MANIFEST
from termexplorer.workspace import Workspace


def _check_refusal(path, *, message):
    for door in (detect, lambda path: read("obographs", path), lambda path: read("table", path)):
        with pytest.raises(UserError) as error:
            door(path)
        assert message in str(error.value)


def test_a_database_leads_to_its_workspace(tmp_path):
    workspace = Workspace(tmp_path / "w")
    assert workspace.store
    workspace.close()
    _check_refusal(tmp_path / "w" / "workspace.sqlite", message="--workspace FOLDER")


@pytest.mark.parametrize(
    ("kind", "message"), [(PACK, "termexplorer judge"), (ANSWERS, "study merge")]
)
def test_files_of_a_study_lead_to_judging(tmp_path, kind, message):
    write_envelope(tmp_path / "own.json", kind, {"title": "T"})
    _check_refusal(tmp_path / "own.json", message=message)


def test_the_list_of_pair_sets_leads_to_evaluating(tmp_path):
    content = {"key": "0a" * 32, "files": ["a.tsv"], "ontology": "x"}
    path = write(tmp_path, MANIFEST, json.dumps(content, indent=2))
    _check_refusal(path, message="evaluate pairs --pairs FOLDER")


def test_a_sheet_of_a_text_is_refused(tmp_path):
    path = write(tmp_path, "toys.csv", "id,name\nA1,one\n")
    with pytest.raises(UserError, match=r"toys\.csv is a text.*'Codes'.*leave"):
        read("table", path, sheet="Codes")


def test_a_file_that_is_not_there_is_told_with_names_alike(tmp_path):
    write(tmp_path, "diseases_2024.csv", "id,name\nA1,one\n")
    with pytest.raises(UserError, match=r"does not exist.*diseases_2024\.csv"):
        detect(tmp_path / "Disease_2024.csv")
    with pytest.raises(UserError, match="does not exist; check the name, and the folder"):
        detect(tmp_path / "xyz")
    with pytest.raises(UserError, match="nor does its folder"):
        detect(tmp_path / "none" / "xyz")


@pytest.mark.parametrize("number", [
    errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EISDIR, errno.EROFS, errno.ENAMETOOLONG,
])  # fmt: skip
def test_the_reasons_of_the_system_are_said_in_german(german, number):
    error = OSError(number, os.strerror(number), "a")
    assert tell_reason(error) not in (str(describe_os_error(error)), os.strerror(number))
