"""Word recall: how much of what an independent extractor finds in real files is in the text made here.

Pages, books, Markdown and reStructuredText are read by pandoc as well, PDF by pdftotext, mail by Python's own parser;
of delimited and plain text the words of the file itself are asked for. Recall counts words as often as they occur.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
import shutil
import statistics
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.extractors.delimited import extract_csv, extract_tsv
from symfonic.adapters.knowledge.extractors.eml import extract_eml
from symfonic.adapters.knowledge.extractors.epub import extract_epub
from symfonic.adapters.knowledge.extractors.html import extract_html
from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.extractors.pdf import extract_pdf
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Extraction

pytestmark = pytest.mark.corpora

MEDIAN: Final = 0.98
LOWEST: Final = 0.9

#: Files of which less than LOWEST is found, each with what the difference is.
EXPLAINED: Final[dict[str, str]] = {}

EXTRACTORS: Final[dict[str, Callable[..., Extraction]]] = {
    "csv": extract_csv,
    "eml": extract_eml,
    "epub": extract_epub,
    "html": extract_html,
    "md": MarkdownExtractor().extract,
    "pdf": extract_pdf,
    "rst": RestructuredTextExtractor().extract,
    "tsv": extract_tsv,
    "txt": PlainTextExtractor().extract,
}
PANDOC: Final = {"epub": "epub", "html": "html", "md": "gfm+yaml_metadata_block", "rst": "rst"}
PACKAGES: Final = {"pandoc": "pandoc", "pdftotext": "poppler-utils"}


def run(program: str, *arguments: str, data: bytes = b"") -> bytes:
    """What another program writes."""
    assert shutil.which(program), f"the other extractor is not installed: install {PACKAGES[program]}"
    return subprocess.run([program, *arguments], input=data, check=True, capture_output=True).stdout


def spoken(node: Any) -> Iterator[str]:
    """The words of a document as pandoc understands it; texts for pictures that cannot be shown are none."""
    if isinstance(node, list):
        for item in node:
            yield from spoken(item)
    elif isinstance(node, dict) and "t" in node:
        kind: str = node["t"]
        content: Any = node.get("c")
        if kind == "Str":
            yield content
        elif kind in {"Code", "CodeBlock", "Math"}:
            yield content[1]
        elif kind == "DefinitionList":
            for term, meanings in content:
                yield from (*spoken(term), " ", *spoken(meanings))
        elif kind not in {"Image", "RawInline", "RawBlock"}:
            yield from spoken(content)
            yield "" if kind in {"Emph", "Strong", "Span", "Link", "Underline", "SmallCaps", "Quoted"} else " "


def raw_text(path: Path) -> str:
    """A text file, in the encodings that occur."""
    data = path.read_bytes()
    return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")


def reference(kind: str, path: Path) -> str:
    """What the other extractor finds."""
    if kind in PANDOC:
        # A file in UTF-16 has to be given in UTF-8, and nothing outside may be read.
        data = path.read_bytes() if kind == "epub" else raw_text(path).encode()
        written = run("pandoc", "--sandbox", f"--from={PANDOC[kind]}", "--to=json", data=data)
        return "".join(spoken(json.loads(written)["blocks"]))
    if kind == "pdf":
        return run("pdftotext", str(path), "-").decode()
    if kind == "eml":
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain", "html"))
        fields = [str(message[name] or "") for name in ("Subject", "From", "To", "Cc", "Date")]
        return "\n".join((*fields, body.get_content() if body else ""))
    return raw_text(path)


def words(text: str) -> Counter[str]:
    """Words with the times they occur, in small letters."""
    return Counter(re.findall(r"\w+", text.lower()))


def extracted(kind: str, path: Path) -> str:
    """The text made here; none where a file shows nothing."""
    try:
        return "\n".join(section.text for section in EXTRACTORS[kind](path.read_bytes(), name=path.name).sections)
    except ExtractionError as error:
        if error.code != "empty":
            raise
        return ""


def recalls(folder: Path, kind: str) -> dict[str, float]:
    """The share of the other's words that are found, for every file of a kind; 1 where there are none."""
    found = {}
    for path in sorted(folder.glob(f"*.{kind}")):
        wanted = words(reference(kind, path))
        missing = wanted - words(extracted(kind, path))
        found[path.name] = 1 - missing.total() / max(1, wanted.total())
    return found


@pytest.mark.requirement("EX-ALL-2")
@pytest.mark.parametrize("kind", EXTRACTORS)
def test_what_another_extractor_finds_is_found(corpora: Path, kind: str) -> None:
    """At the median 98 of 100 words, and every file with less than 90 is explained."""
    found = recalls(corpora / "realdocs", kind)
    assert statistics.median(found.values()) >= MEDIAN, found
    explained = {name for name in EXPLAINED if name.endswith(f".{kind}")}
    assert {name for name, recall in found.items() if recall < LOWEST} == explained, found
