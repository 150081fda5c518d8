"""Puts the pages of the site together in build/: `site_pages.py`, which site.sh calls.

Pages lie where they belong in the repository; here they are copied side by side, with their links
turned to where each page went. The reference of commands is made of the commands themselves.
"""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml
from command_pages import make_command_pages
from notebook_pages import make_notebook_page

from termexplorer.services.workspace.help_topics import order_topics
from termexplorer.views.pages import PAGES

ROOT = Path(__file__).parent.parent
LIBRARY = "termexplorer.trainer"  # by which name the library is imported; its folder is trainer/
FOLDERS = (("resources/docs", "."), ("resources/help/de", "help/de"))
FOLDERS += (("resources/help", "help/en"), ("resources/studies", "studies"))
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(\))")


def locate_page(path: Path) -> Path:
    """Return where a file of the repository lies on the site.

    Raises:
        LookupError: it is not there.
    """
    if not path.is_file() or not path.is_relative_to(ROOT):
        raise LookupError(path)
    relative = path.relative_to(ROOT)
    if relative == Path("README.md"):
        return Path("index.md")
    for source, target in FOLDERS:
        if relative.is_relative_to(source):
            page = Path(target) / relative.relative_to(source)
            return page.with_suffix(".md") if page.suffix == ".ipynb" else page
    raise LookupError(path)


def turn_links(text: str, path: Path) -> str:
    """Return a page's text with links to where the pages lie on the site.

    Raises:
        SystemExit: a link leads to nothing that is on the site.
    """
    page = locate_page(path)

    def turn(match: re.Match[str]) -> str:
        start, link, anchor, end = match.groups()
        target = (path.parent / link).resolve()
        if not target.exists():  # the help names its topics without an ending
            target = target.with_name(f"{target.name}.md")
        try:
            there = locate_page(target)
        except LookupError:
            sys.exit(f"site: {path.relative_to(ROOT)} links to {link}, which is not on the site")
        return f"{start}{os.path.relpath(there, page.parent)}{anchor or ''}{end}"

    return LINK.sub(turn, text)


def list_sources() -> list[Path]:
    """Return the README and all files of the folders."""
    files = [path for source, _ in FOLDERS for path in (ROOT / source).rglob("*")]
    return [ROOT / "README.md", *sorted({path for path in files if path.is_file()})]


def copy_page(path: Path, folder: Path) -> None:
    """Copy a file to where it lies on the site."""
    page = locate_page(path)
    target = folder / page
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".md":
        target.write_text(turn_links(path.read_text("utf-8"), path), "utf-8")
    elif path.suffix == ".ipynb":
        target.write_text(turn_links(make_notebook_page(path), path), "utf-8")
    else:
        shutil.copyfile(path, target)


def fill_navigation(entry: Any, lists: dict[str, list[Any]]) -> Any:
    """Return a part of the navigation with the lists of pages that it names."""
    if isinstance(entry, list):
        return [fill_navigation(part, lists) for part in entry]
    if isinstance(entry, dict):
        return {title: fill_navigation(part, lists) for title, part in entry.items()}
    return lists.get(entry, entry)


def list_pages(folder: Path, site: Path) -> list[Any]:
    """Return the pages of a folder for the navigation, its README first, then its folders."""
    pages = sorted(folder.glob("*.md"), key=lambda page: (page.name != "README.md", page.name))
    inner = sorted(path for path in folder.iterdir() if any(path.rglob("*.md")))
    found: list[Any] = [page.relative_to(site).as_posix() for page in pages]
    return [*found, *({path.name.capitalize(): list_pages(path, site)} for path in inner)]


def main() -> None:
    """Write build/site-src, build/site-lib and build/mkdocs.yml."""
    build = ROOT / "build"
    folder, library = build / "site-src", build / "site-lib"
    for old in (folder, library):
        shutil.rmtree(old, ignore_errors=True)
    for path in list_sources():
        copy_page(path, folder)
    commands = make_command_pages(folder / "reference" / "commands")
    link = library.joinpath(*LIBRARY.split("."))
    link.parent.mkdir(parents=True)
    link.symlink_to(ROOT / "trainer")
    settings = yaml.safe_load((ROOT / "packaging/mkdocs.yml").read_text("utf-8"))
    lists: dict[str, list[Any]]
    keys = order_topics(page.key for page in PAGES)
    lists = {f"HELP {name}": [f"help/{name}/{key}.md" for key in keys] for name in ("en", "de")}
    lists["COMMANDS"] = [f"reference/commands/{name}.md" for name in commands]
    lists["STUDIES"] = list_pages(folder / "studies", folder)
    lists["DEVELOPMENT"] = list_pages(folder / "development", folder)
    settings["nav"] = fill_navigation(settings["nav"], lists)
    (build / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), "utf-8")


if __name__ == "__main__":
    main()
