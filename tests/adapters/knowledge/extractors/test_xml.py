"""Parsing XML parts: nothing outside is read, nothing is expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors.xml import parse_xml
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_part_becomes_a_tree_without_comments() -> None:
    """Text on both sides of what is left out stays."""
    root = parse_xml(b"<a>one<!-- two --><?three?><b>four</b></a>", name="a.docx")
    assert "".join(root.itertext()) == "onefour"


@pytest.mark.requirement("EX-XML-1")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_of_a_document_are_refused(encoding: str, tmp_path: Path) -> None:
    """Whether they grow, or point at a file; in text and in attributes."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for declared in ('x "grown"', f'x SYSTEM "{secret.as_uri()}"'):
        text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE a [<!ENTITY {declared}>]><a b="1">&x;</a>'
        with pytest.raises(ExtractionError, match="declares entities") as caught:
            parse_xml(text.encode(encoding), name="a.docx")
        assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-XML-1")
def test_a_document_type_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    """Books name one on every page; it is not looked for."""
    missing = (tmp_path / "missing.dtd").as_uri()
    assert parse_xml(f'<!DOCTYPE a SYSTEM "{missing}"><a>text</a>'.encode(), name="a.epub").text == "text"


@pytest.mark.parametrize(
    "data", [b"", b"<a>", b"text", b"<a>&unknown;</a>", b'<?xml version="1.0" encoding="x-no"?><a/>']
)
def test_what_is_not_well_formed_is_damage(data: bytes) -> None:
    """Nothing is guessed."""
    with pytest.raises(ExtractionError) as caught:
        parse_xml(data, name="a.docx")
    assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-XML-2")
@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (b"<a>" * 100_000 + b"</a>" * 100_000, "depth"),
        (b"<a>" * 257 + b"</a>" * 257, "depth"),
        (b"<a>" + b"x" * 10_010_000 + b"</a>", "bytes"),
        (b'<a b="' + b"x" * 10_010_000 + b'"/>', "bytes"),
    ],
)
def test_a_limit_of_the_parser_is_named(data: bytes, limit: str) -> None:
    """It ends neither in the stack nor in the word that the file is damaged, which it is not."""
    with pytest.raises(ExtractionError, match=r"the XML of its part word/document\.xml") as caught:
        parse_xml(data, name="a.docx", part="word/document.xml")
    assert (caught.value.code, caught.value.limit) == ("limit", limit)


@pytest.mark.requirement("EX-XML-2")
def test_depth_below_the_limit_is_read() -> None:
    """Words that stand that deep are found."""
    root = parse_xml(b"<a>" * 250 + b"words" + b"</a>" * 250, name="a.docx")
    assert "".join(root.itertext()) == "words"
