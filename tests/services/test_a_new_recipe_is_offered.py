"""The worked example of `trainer.recipes`, added to a copy of the program as it says there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toy_workspace import VECTORS

ROOT = Path(__file__).parents[2]
LISTED = """    "scaled": ListedRecipe(
        "scaled_dimensions", "ScaledDimensions", "Scaled", LEVEL, "Seconds: an example."
    ),
"""
KIND = """    "scaled": ("termexplorer.trainer.recipes.scaled_dimensions", "ScaledEncoder"),
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The program with the recipe, but for what `packaging/recipes.py` writes."""
    unneeded = shutil.ignore_patterns("__pycache__", "studies", "pictures", "resources")
    built = shutil.ignore_patterns("__pycache__", "resources")
    for name in ("trainer", "termexplorer", "packaging"):
        shutil.copytree(ROOT / name, tmp_path / "program" / name, symlinks=True, ignore=built)
    program = tmp_path / "program"
    shutil.copytree(ROOT / "resources", program / "resources", ignore=unneeded)
    (program / "termexplorer" / "resources").symlink_to(program / "resources")
    shutil.copy(
        ROOT / "tests" / "helpers" / "scaled_dimensions.py", program / "trainer" / "recipes"
    )
    for package, before, line in (
        ("recipes", "RECIPES = {\n", LISTED),
        ("encoders", "_KINDS = {\n", KIND),
    ):
        file = program / "trainer" / package / "__init__.py"
        text = file.read_text("utf-8")
        assert text.count(before) == 1
        file.write_text(text.replace(before, before + line), "utf-8")
    return program


def test_it_is_offered_and_trained_like_the_others(copy: Path, toy: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(toy, tmp_path / "workspace")

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            env=os.environ | {"PYTHONPATH": str(copy), "TERMEXPLORER_WORKSPACE": str(workspace)},
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("packaging/recipes.py")
    program = ("-c", "from termexplorer.cli.main import run; run()")
    assert "Seconds: an example." in run(*program, "train", "--help")
    asked = ("--ontology", "toy", "--level", "1", "--depth", "3", "--vectors", str(VECTORS))
    output = run(*program, "train", "scaled", *asked, "--set", "maximum_epochs=2")
    assert output.startswith("run 1 finished: encoder 6")
    assert "scaled" in run(*program, "run", "list")
