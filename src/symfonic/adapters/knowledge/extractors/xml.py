"""XML parts of office documents and books to trees (lxml).

Rules of this module: one way to parse, for every format. Nothing outside the bytes is ever read, entities of a
document's own are refused and none is expanded, and the parser keeps its own limits on depth and on sizes. lxml is
imported when a part is parsed, in the worker process (``isolation``).
"""

from __future__ import annotations

from typing import Any, Final

from symfonic.adapters.knowledge.extractors.archives import shown_part
from symfonic.adapters.knowledge.ports import ExtractionError

__all__ = ["parse_xml"]

_ENTITY: Final = b"<!ENTITY"
_TOO_DEEP: Final = "Excessive depth"  # the library has one code for all its limits


def parse_xml(data: bytes, *, name: str, part: str = "") -> Any:
    """Return the root element (an ``lxml.etree._Element``) without comments and processing instructions.

    Args:
        data: One part, in the encoding it declares.
        name: The file's name, for messages only.
        part: The part's name, likewise.

    Raises:
        ExtractionError: ``damaged``: not well-formed, or a document type that declares entities; ``limit``: more than
            the parser follows, which is 256 elements within each other (``depth``) and 10,000,000 bytes of text without
            an element between (``bytes``).
    """
    from lxml import etree

    xml = f"the XML of {shown_part(part)}" if part else "its XML"
    # Whatever the width of its characters: office documents never declare entities, and one is enough for a bomb.
    if _ENTITY in data.replace(b"\0", b""):
        raise _damaged(name, f"{xml} declares entities, which such documents never do")
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise _too_much(name, xml, "depth" if _TOO_DEEP in str(error) else "bytes") from None
        raise _damaged(name, f"{xml} is not well-formed") from None
    except (ValueError, LookupError):
        raise _damaged(name, f"{xml} is not well-formed") from None
    types = root.getroottree().docinfo.internalDTD
    if types is not None and next(types.iterentities(), None) is not None:
        raise _damaged(name, f"{xml} declares entities, which such documents never do")
    return root


def _damaged(name: str, why: str) -> ExtractionError:
    message = f"{name} is damaged ({why}), so nothing of it is used; repair it or save it anew."
    return ExtractionError(message, code="damaged")


def _too_much(name: str, xml: str, limit: str) -> ExtractionError:
    what = "elements nested deeper" if limit == "depth" else "a longer text"
    why = f"holds {what} than can be followed ({xml}), so nothing of it is used; it is hostile, or has to be split."
    return ExtractionError(f"{name} {why}", code="limit", limit=limit)
