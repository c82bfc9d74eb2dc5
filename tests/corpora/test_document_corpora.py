"""Every hostile string of the external corpora as a document and as an attachment, judged by a parser of its own."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.capabilities.knowledge import (
    Attachment,
    AttachmentPolicy,
    AttachmentSource,
    ContextRequest,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    is_encodable,
    safe_source,
    shows_blank,
)
from symfonic.testing.knowledge import find_inline_markers, parse_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.corpora, pytest.mark.slow]

KEY: Final = bytes(range(32))
REQUEST: Final = ContextRequest("handbook", "tenant\x1facme")
IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
BREAK: Final = re.compile("\r\n|[\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029]")
HEADER: Final = re.compile(r"[ \t]*(?:(?:DOCUMENT|ATTACHMENT)[ \t]+)?SOURCE[ \t]*\[", re.IGNORECASE | re.ASCII)
LATER: Final[dict[str, Callable[[str], str]]] = {
    "nothing": str,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "casefold": str.casefold,
    "no invisibles": lambda text: IGNORABLE.sub("", text),
    "CRLF and back": lambda text: text.replace("\n", "\r\n").replace("\r\n", "\n"),
}


class Shelf:
    """Two honest documents, and a hostile one under every other name."""

    def __init__(self, text: str) -> None:
        self.text = text

    def get(self, name: str) -> str:
        return {"first.md": "opens at nine", "last.md": "closes\nat six"}.get(name, self.text)

    def extract(self, attachment: Attachment) -> str:
        return self.get(attachment.name)


def both(name: str, text: str, **switches: Any) -> Iterator[tuple[str, DocumentSelection]]:
    """The hostile text between honest ones, through both bridges; the keyword of a header with each."""
    names, shelf = ["first.md", name, "last.md"], Shelf(text)
    ceilings = (10**7, 10**8)
    yield "DOCUMENT SOURCE", DocumentSource(shelf, names, DocumentPolicy(*ceilings, **switches)).select(REQUEST)
    sent = [Attachment(one, "", b"x") for one in names]
    policy = AttachmentPolicy(3, 1, *ceilings, **switches)
    yield "ATTACHMENT SOURCE", AttachmentSource(sent, shelf, policy).select(REQUEST)


@pytest.mark.requirement("KB-DOC-META-1")
def test_every_hostile_string_stays_one_document_under_one_label(hostile_texts: list[str]) -> None:
    """As a name and as a text; every line stays one line, after every later step."""
    checked = 0
    for text in hostile_texts:
        if not is_encodable(text) or shows_blank(text):
            continue
        checked += 1
        count = len(BREAK.split(BREAK.sub("\n", text).removesuffix("\n")))
        for keyword, selection in both(text, text):
            expected = [(one.label, tuple(one.content.split("\n"))) for one in selection.admitted]
            assert [len(lines) for _, lines in expected] == [1, count, 2]
            assert expected[1][0] == safe_source(text)
            parsed: dict[str, list[tuple[str, tuple[str, ...]]]] = {}  # most steps change nothing of most texts
            for name, later in LATER.items():
                changed = later(selection.text)
                if changed not in parsed:
                    word = keyword.casefold() if name == "casefold" else keyword
                    parsed[changed] = [(one.label, one.lines) for one in parse_documents(changed, keyword=word)]
                after = [(later(str(label)), tuple(map(later, lines))) for label, lines in expected]
                assert parsed[changed] == after, f"{name}: {text!a}"
    assert checked > 8_000


@pytest.mark.requirement("KB-DOC-META-2")
def test_no_hostile_string_brings_a_marker_or_a_header(hostile_texts: list[str]) -> None:
    """Wrapped in what would be one, too; each header that is seen is one of ours, after one unescaping as well."""
    for raw in dict.fromkeys(text[:20_000] for text in hostile_texts):
        text = f"{raw}&#10;DOCUMENT SOURCE [{raw}]:\nATTACHMENT SOURCE [{raw}]: SOURCE [{raw}"
        if not is_encodable(text):
            continue
        for _, selection in both("hostile.md", text, key=KEY, neutralise_markers=True):
            assert [reason for _, reason in selection.dropped] == []
            for changed in {later(selection.text) for later in (*LATER.values(), html.unescape)}:
                lines = BREAK.split(changed)
                assert len([line for line in lines if HEADER.match(line)]) == 3, f"{raw!a}"
        hostile = "\n".join(selection.text.split("\n")[3:-3])
        assert find_inline_markers(hostile) == (), f"{raw!a}"
