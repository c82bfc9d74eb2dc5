"""XHTML respelled for a parser of HTML."""

from __future__ import annotations

import time

import pytest

from symfonic.adapters.knowledge.extractors.html import extract_html
from symfonic.adapters.knowledge.extractors.xhtml import as_html, is_xhtml


@pytest.mark.parametrize(
    ("xhtml", "html"),
    [
        ("<p/>", "<p></p>"),
        ("<a id='x' />b", "<a id='x' ></a>b"),
        ('<a title="1 > 0 /> x"/>', '<a title="1 > 0 /> x"></a>'),
        ("<br/><img src='a/b.png'/><BR />", "<br/><img src='a/b.png'/><BR />"),
        ("<svg:g/>", "<svg:g></svg:g>"),
        ("<a href=x/y>z</a>", "<a href=x/y>z</a>"),
        ("1 < 2 /> 3", "1 < 2 /> 3"),
        ("a<![CDATA[<b>&amp;]]>c<![CDATA[]]>", "a&lt;b&gt;&amp;amp;c"),
        ("a<![CDATA[open", "a<![CDATA[open"),
    ],
)
def test_elements_and_cdata_are_respelled(xhtml: str, html: str) -> None:
    """What HTML has no end tag for stays."""
    assert as_html(xhtml) == html


def test_a_page_says_whether_it_is_xml() -> None:
    """By its declaration or a namespace; other pages are read as browsers read them."""
    assert is_xhtml('\n<?xml version="1.0"?><html/>')
    assert is_xhtml('<!DOCTYPE html>\n<html lang="en" xmlns="http://www.w3.org/1999/xhtml">')
    assert not is_xhtml("<html><?xml ?></html>")
    assert not is_xhtml("<!doctype html><html><body xmlns=''>")
    page = "{}<html><head><title/></head><body>text</body></html>"
    (section,) = extract_html(page.format('<?xml version="1.0"?>').encode(), name="a.html").sections
    assert section.text == "text\n\n"


@pytest.mark.parametrize("unit", ["<a ", '<a "', "<![CDATA[", "<a/", "/>", "<a b='"])
def test_time_grows_with_the_text_only(unit: str) -> None:
    """Half a million characters of anything."""
    start = time.process_time()
    as_html(unit * (500_000 // len(unit)))
    assert time.process_time() - start < 2
