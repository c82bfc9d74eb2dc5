"""What must not stand in a file that is published: this or that machine, and where packages came from."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

# Written with a character class around one letter each, so that this file does not contain what it looks for.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/([w]ork|[r]oot|[h]ome/(?!me\b)\w+|[U]sers/(?!me\b)\w+|[t]mp/design)(/|\b)",
    "an index of packages": r"[p]ypi\.org|[p]ythonhosted|(extra-)?[i]ndex-url|[f]ind-links|file:///?[o]pt",
    "a path beside the project": r"\.\./[s]hared",
    "talk about who wrote this": (
        r"\b[t]he lead\b|\b[o]ther builders?\b|\b[t]his session\b|\b[C]o-authored-by\b"
        r"|\b[G]enerated (with|by) (AI|an LLM)"
    ),
    "the number of an issue": r"\b[i]ssue #?\d+",
    "work left for later": r"\b(T[O]DO|F[I]XME|X[X]X)\b",
}

#: What browsers take, which is no text.
PICTURE = ".png"

#: Files in which one of these is meant, with the reason.
MEANT = {
    (".ci/run", "a path beside the project"): "the default place of the corpora on the build machine",
}


def forbidden(text: str) -> Iterator[tuple[int, str]]:
    """Line and kind of everything in a text that must not be published."""
    present = {kind: pattern for kind, pattern in FORBIDDEN.items() if re.search(pattern, text)}
    for number, line in enumerate(text.split("\n") if present else (), start=1):
        yield from ((number, kind) for kind, pattern in present.items() if re.search(pattern, line))


def published(project: Path) -> list[Path]:
    """Every file git has or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=project, check=True, capture_output=True, text=True).stdout
    return sorted(path for name in listing.split("\0") if name and (path := project / name).is_file())


def test_nothing_published_holds_a_forbidden_word(project: Path) -> None:
    """Every text file is clean, apart from what is meant."""
    found = [
        f"{name}:{line}: {kind}"
        for path in published(project)
        if (name := path.relative_to(project).as_posix()) != "LICENSE" and path.suffix != PICTURE
        for line, kind in forbidden(path.read_text(encoding="utf-8", errors="replace"))
        if (name, kind) not in MEANT
    ]
    assert found == []


def test_everything_meant_is_there(project: Path) -> None:
    """An exception that is no longer needed fails."""
    for name, kind in MEANT:
        assert kind in {found for _, found in forbidden((project / name).read_text(encoding="utf-8"))}


def test_constraints_name_releases_only(project: Path) -> None:
    """Pins, comments, and nothing that says where a package lies."""
    for file in (project / "constraints.txt", *(project / "benchmarks").glob("constraints-*.txt")):
        pins = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+", line)] == []
        assert pins == sorted(pins, key=str.lower)


def test_no_large_or_binary_file_is_published(project: Path) -> None:
    """All is text but samples of PDF and pictures of pages; no file is over a megabyte, no picture over 200 KB."""
    assert [path.name for path in published(project) if path.stat().st_size > 1_000_000] == []
    kept = {".pdf", PICTURE}
    assert [path.name for path in published(project) if b"\0" in path.read_bytes() and path.suffix not in kept] == []
    pictures = [path for path in published(project) if path.suffix == PICTURE]
    assert {path.parent.name for path in pictures} == {"inspector"}
    assert [path.name for path in pictures if path.stat().st_size > 200_000] == []


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("see /w~ork/main", "a path of one machine"),
        ("/ho~me/someone/x", "a path of one machine"),
        ("https://py~pi.org/simple", "an index of packages"),
        ("--in~dex-url", "an index of packages"),
        ("../sha~red/data", "a path beside the project"),
        ("as th~e lead said", "talk about who wrote this"),
        ("fixes iss~ue 12", "the number of an issue"),
        ("# TO~DO", "work left for later"),
    ],
)
def test_the_check_finds(line: str, kind: str) -> None:
    """Each rule has a sample that breaks it; the tilde keeps this file clean of it."""
    assert list(forbidden(line.replace("~", ""))) == [(1, kind)]


@pytest.mark.parametrize("line", ["homework/x", "rooted /workshop", "tier session", "sharing", "a leading space"])
def test_the_check_passes(line: str) -> None:
    """Ordinary words are fine."""
    assert list(forbidden(line)) == []
