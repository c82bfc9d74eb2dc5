"""Parts of an Office Open XML file (ECMA-376 part 2, Open Packaging Conventions) and how they refer to each other.

Rules of this module: it knows parts and relationships, and nothing of what a part says. Bytes come from ``archives``
and trees from ``xml``. Documents saved as *Strict* come out with the namespaces everyone else uses, so that nobody else
has to know that there are two sets of them.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from symfonic.adapters.knowledge.extractors.archives import Archive
from symfonic.adapters.knowledge.extractors.xml import parse_xml
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ALTERNATIVES", "MAX_RELATIONS", "RELATIONS", "Package", "Relation", "chosen"]

_SCHEMAS: Final = "http://schemas.openxmlformats.org/"
_RELATIONSHIP: Final = f"{{{_SCHEMAS}package/2006/relationships}}Relationship"
RELATIONS: Final = f"{{{_SCHEMAS}officeDocument/2006/relationships}}"
"""Namespace of attributes that name a relationship of the part they stand in."""

MAX_RELATIONS: Final = 50_000
"""Relationships one part may have."""

_COMPATIBILITY: Final = f"{{{_SCHEMAS}markup-compatibility/2006}}"
ALTERNATIVES: Final = f"{_COMPATIBILITY}AlternateContent"
"""Element that says one thing in several ways, of which :func:`chosen` picks the one that is shown."""

_CHOICE: Final = f"{_COMPATIBILITY}Choice"
_FALLBACK: Final = f"{_COMPATIBILITY}Fallback"
_EXTENSIONS: Final = ("http://schemas.microsoft.com/office/", _SCHEMAS)

_COMPOUND_FILE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")

# Strict namespaces (ISO/IEC 29500-1) to those of the transitional form: the year went, the rest stayed.
_STRICT: Final = "http://purl.oclc.org/ooxml/"
_DATED: Final = {
    "wordprocessingml/main": "wordprocessingml/2006/main",
    "presentationml/main": "presentationml/2006/main",
    "spreadsheetml/main": "spreadsheetml/2006/main",
    "drawingml/main": "drawingml/2006/main",
    "drawingml/chart": "drawingml/2006/chart",
    "drawingml/diagram": "drawingml/2006/diagram",
    "drawingml/wordprocessingDrawing": "drawingml/2006/wordprocessingDrawing",
    "officeDocument/math": "officeDocument/2006/math",
    "officeDocument/relationships": "officeDocument/2006/relationships",
}


@dataclass(frozen=True, slots=True)
class Relation:
    """What one part says of another.

    Attributes:
        kind: Last word of the relationship's type, such as ``slide`` or ``footnotes``.
        target: Name of the other part.
    """

    kind: str
    target: str


class Package:
    """An opened file: its parts by name, and its relationships.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: As :class:`~symfonic.adapters.knowledge.extractors.archives.Archive`; ``damaged`` also where
            names of parts differ in case or a leading slash only, ``encrypted`` also for the
            container of another format that a password makes of such a file.
    """

    def __init__(self, data: bytes, *, name: str) -> None:
        _refuse_compound_file(data, name=name)
        self._name = name
        self._archive = Archive(data, name=name)
        # Names of parts are compared without regard to case.
        members = list(self._archive)
        self._members = {member.lstrip("/").lower(): member for member in members}
        if len(self._members) < len(members):
            # Readers differ in which of the two they show, as with two of one name.
            why = "damaged (two of its parts have one name but for case or a slash)"
            message = f"{name} is {why}, so nothing of it is used; repair it or save it anew."
            raise ExtractionError(message, code="damaged")

    def main(self, otherwise: str) -> str:
        """Name of the part the document begins with, ``otherwise`` where the package does not tell."""
        found = [relation.target for relation in self.relations("").values() if relation.kind == "officeDocument"]
        return next((target for target in found if target.lower() in self._members), otherwise)

    def __iter__(self) -> Iterator[str]:
        """Names of parts, in small letters, in the order of the directory."""
        return iter(self._members)

    def read(self, part: str) -> bytes:
        """Bytes of a part.

        Raises:
            ExtractionError: ``damaged`` where it is missing or cannot be unpacked.
        """
        return self._archive.read(self._members.get(part.lower(), part))

    def root(self, part: str) -> Any:
        """Root element of a part.

        Raises:
            ExtractionError: ``damaged`` where it is missing, cannot be unpacked, or is no sound XML; ``limit`` as
                :func:`~symfonic.adapters.knowledge.extractors.xml.parse_xml`.
        """
        return self._parsed(self.read(part), part)

    def _parsed(self, data: bytes, part: str) -> Any:
        root = parse_xml(data, name=self._name, part=part)
        if isinstance(root.tag, str) and root.tag.startswith(f"{{{_STRICT}"):
            _make_transitional(root)
        return root

    @property
    def name(self) -> str:
        """The file's name, for messages only."""
        return self._name

    def part_related(self, kind: str, relations: Mapping[str, Relation]) -> str | None:
        """Name of the first related part of a kind; ``None`` where there is none."""
        found = (relation.target for relation in relations.values() if relation.kind == kind)
        return next((target for target in found if target.lower() in self._members), None)

    def related(self, kind: str, relations: Mapping[str, Relation]) -> Any:
        """Root element of the first related part of a kind; ``None`` where there is none."""
        part = self.part_related(kind, relations)
        return None if part is None else self.root(part)

    def __contains__(self, part: object) -> bool:
        return isinstance(part, str) and part.lower() in self._members

    def relations(self, part: str) -> Mapping[str, Relation]:
        """Relationships of a part to parts of this package, by id; of the package itself where ``part`` is empty.

        Raises:
            ExtractionError: ``limit`` (``members``) where there are more than :data:`MAX_RELATIONS`; as :meth:`root`.
        """
        folder, file = posixpath.split(part)
        place = posixpath.join(folder, "_rels", f"{file}.rels")
        if place not in self:
            return {}
        data = self.read(place)
        if data.count(b"<") > 2 * MAX_RELATIONS:
            message = (
                f"{self._name} has a part with more than {MAX_RELATIONS:,} relationships, so nothing of it is used"
            )
            raise ExtractionError(f"{message}; it is hostile, or has to be split.", code="limit", limit="members")
        found = {}
        for entry in self._parsed(data, place).iter(_RELATIONSHIP):
            if entry.get("TargetMode") != "External":
                kind = entry.get("Type", "").rpartition("/")[2]
                found[entry.get("Id", "")] = Relation(kind, _target(folder, entry.get("Target", "")))
        return found


def _target(folder: str, target: str) -> str:
    """Name of the part an address leads to; absolute ones begin at the package."""
    path = unquote(target.replace("\\", "/"))
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def _refuse_compound_file(data: bytes, *, name: str) -> None:
    """Refuse what is no zip container but the older one, in which encrypted files are kept as well.

    Raises:
        ExtractionError: ``encrypted``, or ``unsupported`` for a file in a format of before 2007.
    """
    if not data.startswith(_COMPOUND_FILE):
        return
    if _ENCRYPTED_STREAM in data:
        message = f"{name} is encrypted, so its text cannot be read; save a copy without a password."
        raise ExtractionError(message, code="encrypted")
    message = f"{name} is in an office format of before 2007, so nothing of it is used; save it in the newer one."
    raise ExtractionError(message, code="unsupported")


def _make_transitional(root: Any) -> None:
    new = {f"{{{_STRICT}{old}}}": f"{{{_SCHEMAS}{dated}}}" for old, dated in _DATED.items()}
    for element in root.iter("*"):
        element.tag = _renamed(element.tag, new)
        for key in [key for key in element.attrib if key.startswith("{")]:
            value = element.attrib.pop(key)
            element.set(_renamed(key, new), value)


def _renamed(name: str, new: Mapping[str, str]) -> str:
    space, brace, local = name.rpartition("}")
    return new.get(space + brace, space + brace) + local


def chosen(alternatives: Any) -> Any:
    """The one branch of an ``mc:AlternateContent`` that is shown, or ``None``.

    That is the first choice whose namespaces office programs know, and the fallback where there is none; all of them
    say the same in different ways.
    """
    for branch in alternatives:
        if branch.tag == _FALLBACK or (branch.tag == _CHOICE and _is_known(branch)):
            return branch
    return None


def _is_known(choice: Any) -> bool:
    spaces = choice.nsmap
    return all(
        str(spaces.get(prefix, "")).startswith((*_EXTENSIONS, _STRICT)) for prefix in choice.get("Requires", "").split()
    )
