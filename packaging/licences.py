"""Collects the licences of all that a built program holds: licences.py FOLDER BUILD.

BUILD is the folder that PyInstaller worked in. They go to a new folder `licences` in FOLDER, one
file a package, with a list of them in README.txt. What has no licence text, or must not be given
away with the program, ends this with exit code 1.
"""

import re
import shutil
import sys
import sysconfig
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

import built
import debian

TEXTS = Path(__file__).resolve().parent / "licence_texts"
IS_TEXT = re.compile(r"(licen[cs]e|copying|copyright|notice)[^/]*$|sboms/[^/]*\.json$", re.I)
IS_CODE = (".py", ".pyc", ".pyi", ".so", ".h")
# modules of Qt that are not under the LGPL, and what makes Python's prompt
GPL_ONLY = re.compile(
    r"virtualkeyboard|qt6?(lottie|waylandcompositor|quicktimeline|networkauth|httpserver|charts|"
    r"datavisualization|graphs)|readline",
    re.I,
)
HEAD = """\
termexplorer: Apache-2.0 (termexplorer.txt)

What else is in this program, under which licence, and the file here that holds the licence's text.
How Qt and PySide6 are used, and how to put others in their place: qt.txt

"""


class Licences:
    """The folder, the lines of its list, and what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        self.lines: list[str] = []
        self.wrong: list[str] = []
        self.missing = tomllib.loads((TEXTS / "missing.toml").read_text("utf-8"))

    def add(self, name: str, version: str, licence: str, texts: list[tuple[str, str]]) -> None:
        """One file for a package, with all its texts below their names."""
        parts = [f"{name} {version}: {licence}"]
        parts += [f"---- {file}\n\n{text.strip()}" for file, text in texts]
        (self.folder / f"{name}.txt").write_text("\n\n".join(parts) + "\n", "utf-8")
        self.lines.append(f"{name} {version}: {licence} ({name}.txt)")

    def add_package(self, package: Distribution) -> None:
        """A Python package, with its own texts, or those kept here for wheels without any."""
        name, texts = name_of(package), texts_of(package)
        if any("sboms/" not in file for file, _ in texts):
            self.add(name, package.version, licence_of(package), texts)
        elif name in self.missing:
            ours = self.missing[name]
            kept = [(Path(each).name, (TEXTS / each).read_text("utf-8")) for each in ours["texts"]]
            self.add(
                name, package.version, ours["licence"], [("whose", ours["said"]), *kept, *texts]
            )
        else:
            self.wrong.append(f"{name}: no licence text; see packaging/licence_texts/missing.toml")

    def add_system(self, files: list[Path]) -> None:
        """The system's libraries, with the notes of the Debian packages that they are from."""
        owned = debian.owners(files)
        lost = [each for each in files if not {each.name, each.resolve().name} & owned.keys()]
        self.wrong += [f"{each}: no package owns it" for each in lost]
        common: set[str] = set()
        for owner in sorted(set(owned.values())):
            text, (source, version) = debian.copyright_of(owner), debian.source_of(owner)
            common.update(re.findall(rf"{debian.COMMON}/([\w.-]*\w)", text))
            licence = f"Debian's, of the source {source} {version} at https://snapshot.debian.org"
            self.add(owner, version, licence, [("copyright", text)])
        for name in sorted(common):
            if (debian.COMMON / name).exists():
                shutil.copy(debian.COMMON / name, self.folder / f"common-licenses-{name}.txt")

    def add_ours(self) -> None:
        """Our own, that of the icons, and Python's."""
        shutil.copy(built.ROOT / "LICENSE", self.folder / "termexplorer.txt")
        icons = (built.ROOT / "resources/icons_licence.txt").read_text("utf-8")
        self.add("phosphor-icons", "1.3", "MIT", [("LICENSE", icons)])
        file = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
        if file.exists():
            text = file.read_text("utf-8")
        else:  # where Debian's Python has it
            text = debian.copyright_of(f"python{sysconfig.get_python_version()}")
        self.add("python", sys.version.split()[0], "PSF-2.0", [(file.name, text)])

    def explain_qt(self, version: str) -> None:
        """How Qt is used, and how to put another one in its place."""
        said = (TEXTS / "qt.txt").read_text("utf-8")
        short = version.rpartition(".")[0]
        python = sysconfig.get_python_version()
        said = said.format(version=version, short=short, python=python)
        (self.folder / "qt.txt").write_text(said, "utf-8")
        for name in ("LGPL-3.0.txt", "GPL-3.0.txt"):
            shutil.copy(TEXTS / name, self.folder)

    def write_list(self) -> None:
        """The list that names them all."""
        listed = "\n".join(sorted(self.lines)) + "\n"
        (self.folder / "README.txt").write_text(HEAD + listed, "utf-8")


def texts_of(package: Distribution) -> list[tuple[str, str]]:
    """Names and contents of the licence texts that a package brought along."""
    files = [
        file
        for file in package.files or []
        if IS_TEXT.search(file.as_posix()) and file.suffix not in IS_CODE
    ]
    return [(file.as_posix(), file.read_text("utf-8")) for file in files]


def licence_of(package: Distribution) -> str:
    """What a package says that its licence is, in a line."""
    said = package.metadata.get("License-Expression") or package.metadata.get("License") or ""
    if said and "\n" not in said:
        return said
    named = [
        each.rpartition(" :: ")[2]
        for each in package.metadata.get_all("Classifier", [])
        if each.startswith("License ::")
    ]
    return ", ".join(named) or "see there"


def name_of(package: Distribution) -> str:
    """A package's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", package.metadata["Name"]).lower()


def collect(program: Path, build: Path) -> Licences:
    """Collects all licences of a program."""
    licences = Licences(program / "licences")
    held, installed = built.held(build), built.installed()
    packages = {name_of(each): each for each in map(installed.get, map(Path.resolve, held)) if each}
    packages.pop("termexplorer", None)
    for here, there in held.items():
        if GPL_ONLY.search(there):
            licences.wrong.append(f"{there}: under the GPL only; to be left out in the spec file")
        if here.is_relative_to(built.PACKAGES) and here.resolve() not in installed:
            licences.wrong.append(f"{here}: no package owns it")
    for _, package in sorted(packages.items()):
        licences.add_package(package)
    if debian.DPKG.is_dir():
        licences.add_system(list(filter(built.is_of_system, held)))
    licences.add_ours()
    licences.explain_qt(packages["pyside6-essentials"].version)
    licences.write_list()
    return licences


if __name__ == "__main__":
    done = collect(*map(Path, sys.argv[1:]))
    if done.wrong:
        sys.exit("licences: " + "\nlicences: ".join(done.wrong))
