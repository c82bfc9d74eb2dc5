"""EPUB books to the text of their chapters, in reading order.

Rules of this module: it knows how a book is put together; containers are opened by ``archives``, package files parsed
by ``xml``, chapters read by ``html``. It runs in the worker process (``isolation``), as all of them do.

The reading order is the book's own (its ``spine``). Parts outside the linear order (``linear="no"``: notes, answers)
are kept at their place in it, because a reader reaches them; a part listed twice is read once. A part that is missing
from the container costs the whole book, which would otherwise have a hole nobody sees. Pictures have no text and are
left out; where a part of another kind names a readable stand-in (``fallback``), that is read.

Addresses lead to members of the container and nowhere else: no path is ever opened, and nothing is fetched. A book
whose chapters are encrypted is refused; obfuscated fonts are of no interest here.

Headings: the book's title, then the headings of its chapters. A chapter without any is named as the table of contents
(navigation document, else ``toc.ncx``) names it; one without a name there either goes on with the chapter before it. A
table of contents that cannot be read costs these names only.
"""

from __future__ import annotations

import posixpath
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors.archives import Archive
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.html import PageText, links_of, read_page
from symfonic.adapters.knowledge.extractors.outline import Heading, heading_text, sections_of
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.extractors.xhtml import as_html
from symfonic.adapters.knowledge.extractors.xml import parse_xml
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["extract_epub"]

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_DOCUMENTS: Final = frozenset(
    {
        "application/xhtml+xml",
        "text/html",
        "text/xml",
        "application/xml",
        "text/x-oeb1-document",
        "application/x-dtbook+xml",
        "image/svg+xml",
    }
)
_WITHOUT_TEXT: Final = ("image/", "audio/", "video/")
_NCX: Final = "application/x-dtbncx+xml"


def extract_epub(data: bytes, *, name: str) -> Extraction:
    """Return the text of a book, one section for each heading; call it in the worker process.

    Raises:
        ExtractionError: ``damaged`` (no book, or a part of it is missing), ``encrypted`` (protected against copying),
            ``unsupported`` (a part in its reading order is neither text nor picture), ``limit`` (as ``Archive``),
            ``binary`` (a chapter in no known encoding), ``empty`` (pictures only).
    """
    book = _Book(Archive(data, name=name), name=name)
    documents = book.documents()
    book.refuse_if_encrypted(documents)
    titles = book.chapter_titles()
    lines: list[str] = []
    headings: list[Heading] = []
    omissions = Omissions()
    for member in documents:
        page = book.page(member)
        omissions.add_counts(page.hidden)
        headings += _headings(page, at=len(lines), book=book.title, chapter=titles.get(member, ""))
        lines += page.lines
    require_text("".join(lines), name=name)
    sections = sections_of(lines, headings, title=book.title)
    return Extraction(kind="epub", sections=sections, hidden=omissions.counted())


def _headings(page: PageText, *, at: int, book: str, chapter: str) -> Iterator[Heading]:
    if chapter and page.lines and not page.headings:
        yield Heading(at, 1, chapter)
    for heading in page.headings:
        # The title page says what the book is called: that is the top again, and no chapter.
        yield Heading(at + heading.line, 0 if heading.title == book else heading.level, heading.title)


class _Book:
    """The parts of one book and where they are."""

    def __init__(self, archive: Archive, *, name: str) -> None:
        self._archive = archive
        self._name = name
        self._path = self._package_path()
        package = self._xml(self._path)
        self._items = {item.get("id"): item for item in package.iter("{*}item")}
        self._found: dict[str | None, str] = {}
        self._order = [reference.get("idref") for reference in package.iter("{*}itemref")]
        titles = (heading_text("".join(title.itertext())) for title in package.iter("{*}title"))
        self.title = next((title for title in titles if title), "")

    def _package_path(self) -> str:
        if _CONTAINER not in self._archive:
            raise _damaged(self._name, f"it has no {_CONTAINER}")
        for root in self._xml(_CONTAINER).iter("{*}rootfile"):
            path = _member(self._archive, "", root.get("full-path") or "")
            if path:
                return path
        raise _damaged(self._name, "its package file is missing")

    def _xml(self, member: str) -> Any:
        return parse_xml(self._archive.read(member), name=self._name)

    def documents(self) -> list[str]:
        """Members that hold text, in reading order, each once."""
        found = (self._document(identifier) for identifier in dict.fromkeys(self._order))
        return list(dict.fromkeys(member for member in found if member))

    def _document(self, identifier: str | None) -> str:
        """The member a place in the reading order stands for, or its stand-in; empty for one without text."""
        kind = ""
        tried: dict[str | None, None] = {}
        while identifier not in tried:
            if identifier in self._found:
                return self._keep(tried, self._found[identifier])
            tried[identifier] = None
            item = self._items.get(identifier)
            if item is None:
                break
            kind = _media_type(item)
            if kind in _DOCUMENTS:
                return self._keep(tried, self._present(item.get("href") or ""))
            identifier = item.get("fallback") or identifier
        if not kind:
            raise _damaged(self._name, "its reading order names a part it does not list")
        if not kind.startswith(_WITHOUT_TEXT):
            message = f"{self._name} has a part of the type {kind!a}, which cannot be read, so nothing of it is used."
            raise ExtractionError(message + " Convert the book.", code="unsupported")
        return self._keep(tried, "")

    def _keep(self, tried: Iterable[str | None], member: str) -> str:
        """Remember what a chain of stand-ins ends in, for all that begin somewhere in it."""
        self._found.update(dict.fromkeys(tried, member))
        return member

    def _present(self, href: str) -> str:
        member = _member(self._archive, self._path, href)
        if not member:
            raise _damaged(self._name, f"the part {href[:100]!a} of its reading order is missing")
        return member

    def refuse_if_encrypted(self, documents: Iterable[str]) -> None:
        """Raise ``encrypted`` where one of these members cannot be read without a key."""
        if _ENCRYPTION not in self._archive:
            return
        references = self._xml(_ENCRYPTION).iter("{*}CipherReference")
        encrypted = {_member(self._archive, "", reference.get("URI") or "") for reference in references}
        if not encrypted.isdisjoint(documents):
            message = (
                f"{self._name} is encrypted (protected against copying), so its text cannot be read; "
                "save a copy without protection."
            )
            raise ExtractionError(message, code="encrypted")

    def chapter_titles(self) -> dict[str, str]:
        """What the table of contents calls each member; the first name counts."""
        titles: dict[str, str] = {}
        for base, href, title in (*self._navigation(), *self._ncx()):
            member = _member(self._archive, base, href)
            if member and title:
                titles.setdefault(member, title)
        return titles

    def _navigation(self) -> Iterator[tuple[str, str, str]]:
        for member in self._listed(lambda item: "nav" in (item.get("properties") or "").split()):
            with suppress(ExtractionError):
                text = as_html(decode_text(self._archive.read(member), name=self._name, html=True))
                yield from ((member, href, title) for href, title in links_of(text, name=self._name))

    def _ncx(self) -> Iterator[tuple[str, str, str]]:
        for member in self._listed(lambda item: _media_type(item) == _NCX):
            with suppress(ExtractionError):
                for point in self._xml(member).iter("{*}navPoint"):
                    label, content = point.find("{*}navLabel"), point.find("{*}content")
                    if label is not None and content is not None:
                        yield member, content.get("src") or "", heading_text("".join(label.itertext()))

    def _listed(self, wanted: Callable[[Any], bool]) -> Iterator[str]:
        items = (item for item in self._items.values() if wanted(item))
        members = (_member(self._archive, self._path, item.get("href") or "") for item in items)
        return (member for member in members if member)

    def page(self, member: str) -> PageText:
        """What a chapter shows."""
        text = decode_text(self._archive.read(member), name=self._name, html=True)
        return read_page(as_html(text), name=self._name)


def _member(archive: Archive, base: str, href: str) -> str:
    """The member an address in the member ``base`` leads to; empty where it leads to none."""
    path = href.partition("#")[0]
    for spelling in (unquote(path), path):
        member = posixpath.normpath(posixpath.join(posixpath.dirname(base), spelling))
        if path and member in archive:
            return member
    return ""


def _media_type(item: Any) -> str:
    kind = (item.get("media-type") or "").partition(";")[0]
    return kind.strip().lower() or "unknown"


def _damaged(name: str, why: str) -> ExtractionError:
    message = f"{name} is a damaged book ({why}), so nothing of it is used; repair it or export it anew."
    return ExtractionError(message, code="damaged")
