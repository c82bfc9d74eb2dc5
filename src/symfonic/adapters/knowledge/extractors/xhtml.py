"""XHTML to HTML: the two spellings that a parser of HTML would take for something else.

Rules of this module: pure, standard library only, one pass each, linear in the text whatever it holds. It changes how
elements are written and never what they say. A page written as XML may close an element in its own tag; in HTML such a
``<title/>`` or ``<script/>`` stays open and swallows the page. And what stands in a CDATA section is text in XML and a
comment in HTML.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

__all__ = ["as_html", "is_xhtml"]

_HEAD: Final = re.compile(
    r"\s{0,100}(?:<\?xml\s|(?:<!doctype[^<>]{0,300}>\s{0,100})?<html\b[^<>]{0,300}\sxmlns=)", re.ASCII | re.IGNORECASE
)
# Elements that are empty in HTML as well; their end tag would be an error.
_VOID: Final = frozenset(re.findall("[a-z]+", "area base br col embed hr img input link meta param source track wbr"))
# No attribute value of XML holds "<", so that every attempt ends before the next tag at the latest.
_CLOSED_ITSELF: Final = re.compile(r"""<([A-Za-z][^\s<>/"'=]{0,99})((?:[^<>"'/]++|"[^"<]*+"|'[^'<]*+'|/(?!>))*+)/>""")
_CDATA: Final = "<![CDATA["
_CDATA_END: Final = "]]>"


def is_xhtml(text: str) -> bool:
    """Whether a page says at its beginning that it is written as XML: by a declaration, or by a namespace."""
    return _HEAD.match(text) is not None


def as_html(text: str) -> str:
    """Return an XHTML page so that a parser of HTML reads the same in it."""
    return _CLOSED_ITSELF.sub(_opened_and_closed, _without_cdata(text))


def _opened_and_closed(found: re.Match[str]) -> str:
    name, attributes = found.groups()
    return found[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


def _without_cdata(text: str) -> str:
    parts = []
    done = 0
    while (start := text.find(_CDATA, done)) >= 0 and (end := text.find(_CDATA_END, start)) >= 0:
        parts += [text[done:start], escape(text[start + len(_CDATA) : end], quote=False)]
        done = end + len(_CDATA_END)
    return "".join((*parts, text[done:]))
