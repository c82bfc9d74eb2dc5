"""What the style sheets within a page hide, element by element.

Rules of this module: it knows the parser's nodes by two of their members, ``css`` and ``mem_id``, and no page. Rules
are read in time that is in proportion to their text; how many are asked for is limited, and a page over that limit is
refused, because the rule that counts may be the last one.

No engine: rules within conditions (``@media``, ``@supports``), of states (``:hover``) and of more than one element
(``nav p``) hide nothing. They may show something, though, and what a rule of the page would show in another state is
kept: somebody reaches it. So is what its last part names and a rule shows in another window or at another place, and
what a script of the page may show, for it names the class, id or element, or is what an attribute alone waits for
(``[x-cloak]``). Only sheets within the page are known, never those it links to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors._visibility import HIDING, INTERESTING, hides, looks_of
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    _Matched = Callable[[str], Sequence[Any]]

__all__ = ["MAX_COMPARISONS", "MAX_MATCHES", "MAX_RULES", "Looks", "scripted", "styled"]

Looks = dict[str, tuple[str, bool]]
"""Aspects of an element's look, as ``_visibility`` names them."""

MAX_RULES: Final = 5_000
"""Selectors of rules that hide text, or could show it again, one page may have."""

MAX_COMPARISONS: Final = 50_000_000
"""Elements times selectors one page may take."""

MAX_MATCHES: Final = 2_000_000
"""How often these rules may apply to an element, all together."""

_TOKEN: Final = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[{};]|(?:[^"'/{};\\]|\\.)+|.""", re.DOTALL
)
_EVERYWHERE: Final = re.compile(
    r"@media\s{1,9}(?:only\s{1,9})?(?:all|screen)(?:\s{0,9},\s{0,9}[a-z]{1,20}){0,9}", re.IGNORECASE
)
_WITHOUT_RULES: Final = re.compile(
    r"@(?:-[a-z]{1,9}-)?(?:keyframes|font-face|page|property|counter-style)\b", re.IGNORECASE
)
_MEDIA: Final = frozenset({"", "all", "screen"})
_PRINT: Final = re.compile(r"@media\s{1,9}(?:only\s{1,9})?print", re.IGNORECASE)
_WAITING: Final = re.compile(r"\[(?!hidden\])[\w-]+\]", re.IGNORECASE)
"""Takes what a script is to remove an attribute from."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """One selector with what it says; ``certain`` where it holds whatever the window and the state."""

    selector: str
    looks: Looks
    certain: bool
    printed: bool
    order: int


def styled(root: Any, matched: _Matched, *, elements: int, name: str) -> dict[int, Looks]:
    """What style sheets say of elements they hide or show again, by ``mem_id``; empty for a page without any.

    Args:
        root: Of the page.
        matched: Finds the elements of a selector; none for one that is not valid.
        elements: How many it has, at most.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``limit`` (``members``) over :data:`MAX_RULES`, :data:`MAX_COMPARISONS` or :data:`MAX_MATCHES`.
    """
    rules = _rules_of(root, name)
    hiding = {rule.order: hides(rule.looks) for rule in rules if rule.certain}
    aspects = {aspect for found in hiding.values() for aspect in found}
    rules = [rule for rule in rules if not aspects.isdisjoint(rule.looks)]
    if len(rules) > MAX_RULES or len(rules) * elements > MAX_COMPARISONS:
        raise _too_many(f"too many rules that hide or show ({len(rules):,}) for its size", name)
    if not aspects:
        return {}
    words = scripted(root)
    kept = [
        rule
        for rule in _without_toggles(rules, hiding)
        if not hiding.get(rule.order) or not _is_scripted(rule.selector, words)
    ]
    looks = _cascaded(matched, [rule for rule in kept if rule.certain], hiding, aspects, name)
    if looks:
        _show_elsewhere(looks, matched, [rule for rule in kept if not rule.certain], aspects, name)
    return looks


_MOST_READ: Final = 100_000


def _rules_of(root: Any, name: str) -> list[_Rule]:
    found: list[_Rule] = []
    for sheet in root.css("style"):
        media = (sheet.attributes.get("media") or "").strip().lower()
        parent = sheet.parent
        if parent is not None and parent.tag in {"noscript", "template"}:
            continue
        if (sheet.attributes.get("type") or "text/css").strip().lower() != "text/css":
            continue
        for selectors, body, around in _blocks(sheet.text()):
            if looks := looks_of(body):
                certain = media in _MEDIA and all(map(_EVERYWHERE.fullmatch, around))
                printed = media == "print" or any(map(_PRINT.fullmatch, around))
                # What stands before or behind an element says nothing of it.
                for selector in (one for one in _split(selectors) if not _PSEUDO_ELEMENT.search(one)):
                    found.append(_Rule(selector, looks, certain and _is_certain(selector), printed, len(found)))
            if len(found) > _MOST_READ:
                raise _too_many(f"more than {_MOST_READ:,} rules", name)
    return found


_DEEPEST: Final = 10


def _blocks(sheet: str) -> Iterator[tuple[str, str, list[str]]]:
    """Selectors, declarations and the heads of all blocks around, for each rule that may hide or show."""
    open_blocks: list[tuple[str, list[str]]] = [("", [])]
    for found in _TOKEN.finditer(sheet + "}" * _DEEPEST):
        piece, text = found[0], open_blocks[-1][1]
        if piece == "{":
            # What stands before a rule within a rule are declarations, each with its semicolon.
            before = "".join(text)
            end = before.rfind(";") + 1
            text[:] = [before[:end]]
            open_blocks.append((before[end:].strip(), []))
        elif piece == "}" and len(open_blocks) > 1:
            head, _ = open_blocks.pop()
            if len(open_blocks) <= _DEEPEST and INTERESTING.search(body := "".join(text)):
                around = [outer for outer, _ in open_blocks[1:]]
                if not any(map(_WITHOUT_RULES.match, (*around, head))) and (selectors := _selectors(head, around)):
                    yield selectors, body, [head, *around] if head.startswith("@") else around
        elif not piece.startswith("/*"):
            text.append(piece)


_MOST_NESTED: Final = 20


def _selectors(head: str, around: Sequence[str]) -> str:
    """What a block is about: a rule within a rule, and a condition within one, are about that one's elements too."""
    outer = next((one for one in reversed(around) if not one.startswith("@")), "")
    outer = _CDO.sub("", outer) if len(outer) <= _LONGEST else ""  # each block within reads it again
    if head.startswith("@"):
        return outer
    if "&" not in head or len(head) > _LONGEST:
        return _CDO.sub("", head)
    return ",".join(head.replace("&", parent.replace("&", "")) for parent in _split(outer)[:_MOST_NESTED])


_LONGEST: Final = 1_000
# Around all of a sheet stood comments for programs that knew none.
_CDO: Final = re.compile(r"<!--|-->")

# --------------------------------------------------------------------------------------------------------- selectors

_STATES: Final = re.compile(r"(?<!\\)::?(?!root\b)[a-z-]{1,30}(?:\((?:[^()]|\([^()]*\))*\))?", re.IGNORECASE)
_PSEUDO_ELEMENT: Final = re.compile(r"(?<!\\):(?::|before|after|first-l)", re.IGNORECASE)
_PIECE: Final = re.compile(r"""\[(?:"[^"]*"|'[^']*'|[^\[\]"'])*+\]|[#.]?(?:[\w-]|\\.|[^\x00-\x7f])++|\*""")
# A tag, classes, ids and attributes of one element. What stands around it is left to engines: looking for it upwards
# takes time that grows with the square of the depth.
_COMPOUND: Final = re.compile(rf"(?:{_PIECE.pattern})++")
_ONE_OF: Final = re.compile(r"(?:\([^()]*+\)|\[[^\[\]]*+\]|[^,])++")


def _split(selectors: str) -> list[str]:
    return [selector for found in _ONE_OF.findall(selectors) if (selector := found.strip())]


def _is_certain(selector: str) -> bool:
    return not _STATES.search(selector) and _COMPOUND.fullmatch(selector) is not None


def _subject(selector: str) -> frozenset[str]:
    """The names the last part of a selector asks for, without states."""
    return frozenset(_last(selector))


def _last(selector: str) -> list[str]:
    """The names the last part of a selector asks for, in order, without attributes and states."""
    last = re.split(r"[\s>+~]+", _STATES.sub("", re.sub(r"\[[^\[\]]*+\]", "[]", selector)).strip())[-1]
    return _PIECE.findall(last)


_WORD: Final = re.compile(r"[\w-]++")


def scripted(root: Any) -> frozenset[str]:
    """Words of the scripts within a page: the classes and ids they may change are among them. Empty without any."""
    codes = [script.text() for script in root.css("script")]
    codes += [node.attributes.get("onclick") or "" for node in root.css("[onclick]")]
    return frozenset(word for code in codes for word in ["script", *_WORD.findall(code)])


def _is_scripted(selector: str, words: frozenset[str]) -> bool:
    """Whether a script may show again what a selector takes, so that somebody sees it."""
    if words and _WAITING.fullmatch(selector):
        return True
    return not words.isdisjoint(name.lstrip("#.") for name in _subject(selector))


def _weight(selector: str) -> tuple[int, int, int]:
    pieces = _PIECE.findall(selector)
    ids = sum(piece.startswith("#") for piece in pieces)
    classes = sum(piece.startswith((".", "[")) for piece in pieces) + selector.count(":")
    return ids, classes, sum(piece[0] not in "#.[*" for piece in pieces)


def _without_toggles(rules: Sequence[_Rule], hiding: Mapping[int, Sequence[str]]) -> list[_Rule]:
    """Rules without those whose text another rule shows in another state: for the same names and more."""
    showing: dict[str, list[tuple[frozenset[str], _Rule]]] = {}
    for rule in rules:
        if not hiding.get(rule.order):
            subject = _subject(rule.selector)
            for piece in subject:
                showing.setdefault(piece, []).append((subject, rule))
    kept = []
    for rule in rules:
        aspects = hiding.get(rule.order, ())
        subject = _subject(rule.selector) if aspects else frozenset()
        others = showing.get(next(iter(sorted(subject)), ""), [])[:_MOST_TOGGLES]
        if not any(subject <= names and _shows(other, rule, aspects) for names, other in others):
            kept.append(rule)
    return kept


_MOST_TOGGLES: Final = 500


def _shows(other: _Rule, rule: _Rule, aspects: Sequence[str]) -> bool:
    if other.certain and other.order < rule.order and _weight(other.selector) <= _weight(rule.selector):
        return False  # overruled by the very rule it would undo
    return any(aspect in other.looks and other.looks[aspect][0] not in {"hidden", "transparent"} for aspect in aspects)


# ----------------------------------------------------------------------------------------------------------- cascade


def _cascaded(
    matched: _Matched, rules: Sequence[_Rule], hiding: Mapping[int, Sequence[str]], aspects: set[str], name: str
) -> dict[int, Looks]:
    """What the rules say together: important ones last, then those that ask for more, then those that come later."""
    found: dict[int, Looks] = {}
    selectors = {rule.selector for rule in rules if hiding.get(rule.order)}
    if not any(matched(selector) for selector in sorted(selectors)):
        return found
    matches = 0
    for rule in sorted(rules, key=lambda rule: (_weight(rule.selector), rule.order)):
        said = {aspect: look for aspect, look in rule.looks.items() if aspect in aspects}
        nodes = matched(rule.selector)
        matches += len(nodes)
        if matches > MAX_MATCHES:
            raise _too_many(f"rules that apply more than {MAX_MATCHES:,} times", name)
        for node in nodes:
            # What shows again below something that is hidden counts as well.
            looks = found.setdefault(node.mem_id, {})
            for aspect, look in said.items():
                if look[1] or not looks.get(aspect, ("", False))[1]:
                    looks[aspect] = look
    return found


def _show_elsewhere(
    found: dict[int, Looks], matched: _Matched, rules: Sequence[_Rule], aspects: set[str], name: str
) -> None:
    """Show what a rule shows in some window or place, taken by the last part of its selector alone."""
    matches = 0
    for rule in rules:
        shown = {
            aspect: ("some" if look[0].startswith("#") else look[0], look[1])
            for aspect, look in rule.looks.items()
            if aspect in aspects and look[0] and look[0] not in HIDING
        }
        if not shown or rule.printed:
            continue
        nodes = matched("".join(_last(rule.selector)) or rule.selector)
        matches += len(nodes)
        if matches > MAX_MATCHES:
            raise _too_many(f"rules that apply more than {MAX_MATCHES:,} times", name)
        for node in nodes:
            looks = found.setdefault(node.mem_id, {})
            looks |= {aspect: look for aspect, look in shown.items() if look[1] >= looks.get(aspect, ("", False))[1]}


def _too_many(what: str, name: str) -> ExtractionError:
    message = f"{name} has style sheets with {what}, so nothing of it is used; save its text alone."
    return ExtractionError(message, code="limit", limit="members")
