"""The filter that takes internal layer tags out of a model's answer while it streams.

A model that was told about layers of memory may answer ``The sky is blue [semantic].`` The tag means nothing to a
reader, so it is removed, with the white space left of it. The vocabulary is closed and internal, so tags go in code
too: a leak is the worse error.

What the filter does to a whole text is the function F of this machine, which reads from left to right. It holds
*frames*, each a run of white space and a *part* (a beginning of a tag: ``[``, ``[sem``), and a *pending* run of white
space.

* What goes on with the part of the top frame extends it, where no white space is pending. Where that completes the tag,
  the frame is gone with its white space, and the frame below goes on: ``[sem[semantic]antic]`` leaves nothing.
* White space joins the pending run; ``[`` makes a frame of the run and itself. Where `D` frames are open, either of
  them first releases the oldest as text. A pending run longer than `W` releases all frames, and then its own beginning.
  These are the *forced* releases: they are what bounds the text held.
* Anything else releases all that is held, and then itself. What was released is never read again.
* At the end an unfinished tag is dropped, unless white space follows it; all else is released.

A text of nested beginnings can make forced releases put a tag together in the output: ``[sem`` is released, and later
``antic]`` stands next to it. The *guard* therefore remembers an unfinished tag at the end of the output, and drops the
``]`` that would finish it. Only a forced release can leave one there, so elsewhere the guard is the empty text.

Rules of this module: the machine is `CitationTagFilter._run`, and everything faster is a case in which it is known
what the machine would do. Almost all text has no bracket, and most chunks are a few characters, so `feed` decides
about them by itself. Of a long chunk, one regular expression splits off the tags; the machine reads the end of it,
and all of it where a tag may stand inside another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from ._layer_names import LayerNames, folded
from ._streaming import Parts, checked_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DEFAULT_LAYER_NAMES", "MAX_OPEN_TAGS", "MAX_TAG_SPACE", "CitationTagFilter"]

DEFAULT_LAYER_NAMES: Final = ("semantic", "episodic", "procedural", "working", "prospective")
"""The layers of memory whose tags are removed unless other names are given."""

MAX_TAG_SPACE: Final = 64
"""`W`: most spaces and tabs left of a tag that go with it, in characters."""

MAX_OPEN_TAGS: Final = 2
"""`D`: most unfinished tags, one inside the other, that are held."""

_SPACE: Final = " \t"
_SPACES: Final = re.compile(r"[ \t]+")


_DEFAULT_NAMES: Final = LayerNames(DEFAULT_LAYER_NAMES)


class CitationTagFilter:
    """Removes tags such as ``[semantic]`` from a stream of text, with the spaces and tabs left of them.

    ASCII letters of a tag compare without case. The same text gives the same output however it is cut into chunks,
    the output never holds a tag, and nothing is held back that could be shown. At most ``MAX_OPEN_TAGS *
    (MAX_TAG_SPACE + longest - 1) + MAX_TAG_SPACE`` characters are held, where ``longest`` is the length of the
    longest tag with its brackets. A filter serves one stream at a time and is as good as new after `flush`.

    Args:
        layer_names: The names of the tags, without brackets. A name is text that is not empty, without square brackets,
            line breaks and control characters; spaces and letters beyond ASCII may stand in it.

    Raises:
        BridgeContractError: ``layer_names`` is no sequence of names, is a bare string, is empty, or holds anything but
            names (``KB-CIT-NAMES-1`` to ``-3``).
    """

    __slots__ = ("_busy", "_frames", "_guard", "_names", "_part", "_pending", "_seams")

    def __init__(self, layer_names: Iterable[str] = DEFAULT_LAYER_NAMES) -> None:
        default = layer_names is DEFAULT_LAYER_NAMES
        self._names = _DEFAULT_NAMES if default else LayerNames(layer_names)
        self._busy = False  # whether anything but white space is held or remembered
        self._pending = ""
        self._part = ""  # where one frame and nothing else is held: its part, and its white space is what is pending
        self._frames: list[tuple[str, str]] = []  # elsewhere: white space and part of each frame
        self._seams: list[int] = []  # offsets in what is held at which something was deleted
        self._guard = ""  # an unfinished tag at the end of the output, in lower case

    def feed(self, text: str) -> str:
        """Take the next chunk and answer what may be shown by now.

        Args:
            text: Characters of any number, also none.

        Raises:
            BridgeTypeError: ``text`` is no text (``KB-STR-TEXT-1``); what is held stays as it was.
        """
        if type(text) is str:
            if self._busy:
                return self._feed_open(text)
            if text == " " and not self._pending:
                self._pending = text
                return ""
            if "[" not in text:
                shown = text.rstrip()  # of all white space: one argument less, and nearly always as good
                if shown is text:
                    if self._pending and text:
                        text, self._pending = self._pending + text, ""
                    return text
                if self._pending:
                    text, self._pending = self._pending + text, ""
                    shown = text.rstrip()
                space = text[len(shown) :]
                if space == " ":
                    self._pending = space
                    return shown
                return self._settle(text) if space[-1:] in _SPACE else text
        return "".join(self._feed_parts(text))

    def flush(self) -> str:
        """End the stream: answer what is left to show, and forget everything.

        A tag that was begun and never finished is dropped.
        """
        if self._busy:
            return "".join(self._flush_parts())
        rest, self._pending = self._pending, ""
        return rest

    def __copy__(self) -> CitationTagFilter:
        """A filter in the middle of the same stream, which then goes its own way; attributes of a subclass go along."""
        twin = type(self).__new__(type(self))
        attributes, slots = cast("tuple[dict[str, object] | None, dict[str, object]]", object.__getstate__(self))
        own: dict[str, object] = {"_frames": self._frames[:], "_seams": self._seams[:]}
        for name, value in ((attributes or {}) | slots | own).items():
            setattr(twin, name, value)
        return twin

    # ---------------------------------------------------------------------------------------- text with seams

    def _feed_parts(self, text: str) -> list[str]:
        """As `feed`, in parts: see `_streaming`."""
        if type(text) is not str:
            text = checked_text(text)
        if self._part:
            simple = self._feed_bracket("", self._pending, self._part + text)
        elif self._busy:
            simple = None
        elif "[" not in text:
            return [self.feed(text)]
        else:
            at = text.index("[")
            before = self._pending + text[:at]
            shown = before.rstrip(_SPACE)
            simple = self._feed_bracket(shown, before[len(shown) :], text[at:])
        if simple is not None:
            return simple
        out = Parts()
        rest = text[self._run(text, out, until_idle=True) :]
        if rest:
            rest, self._pending = self._pending + rest, ""
            out.extend(self._feed_brackets(rest))
        return out.parts()

    def _flush_parts(self) -> list[str]:
        """As `flush`, in parts."""
        out = Parts()
        self._use_frames()
        if self._frames and not self._pending:
            self._give(self._frames[0][0], out)
            out.seam()
        else:
            self._release("", out)
        self._busy, self._pending, self._frames, self._seams, self._guard = False, "", [], [], ""
        return out.parts()

    def _pass_parts(self, parts: list[str]) -> list[str]:
        """As `_feed_parts`, from parts. A tag is a tag across a seam, too."""
        out = Parts()
        for number, part in enumerate(parts):
            if number:
                self._use_frames()
                self._seam(out)
                self._busy = self._busy or bool(self._seams)
            out.extend(self._feed_parts(part))
        return out.parts()

    # --------------------------------------------------------------------------------- cases that are known

    def _feed_open(self, text: str) -> str:
        """Take text while a frame is open; nearly always it is the only one, and the text goes on with its tag."""
        if self._part:
            tag = self._part + text
            end = tag.find("]")
            if end < 0:
                if self._names.is_part(tag):
                    self._part = tag
                    return ""
            elif self._names.is_tag(tag[: end + 1]):
                self._busy, self._pending, self._part = False, "", ""
                return self.feed(tag[end + 1 :])
        return "".join(self._feed_parts(text))

    def _feed_bracket(self, shown: str, space: str, tag: str) -> list[str] | None:
        """Take text with one bracket: what is shown before it, white space, and the bracket with what follows it.

        One bracket is what an ordinary tag brings, in chunks of a few characters as in longer ones. Where it is not as
        simple as that, answer ``None`` and do nothing.
        """
        if tag.find("[", 1) > 0 or len(space) > MAX_TAG_SPACE:
            return None
        end = tag.find("]")
        if end < 0:
            if self._names.is_part(tag):
                self._busy, self._pending, self._part = True, space, tag
                return [shown]
            if tag[-1] in _SPACE and self._may_be_open(tag):
                return None
        self._busy, self._pending, self._part = False, "", ""
        if self._names.is_tag(tag[: end + 1]):
            return [shown, self.feed(tag[end + 1 :])]
        return [self._settle(shown + space + tag)]

    def _feed_brackets(self, text: str) -> list[str]:
        """Take text while nothing is held."""
        *before, last = self._names.split(text)
        parts: list[str] = []
        for piece in before:
            shown = piece.rstrip(_SPACE)
            if len(piece) - len(shown) > MAX_TAG_SPACE:
                shown = piece[:-MAX_TAG_SPACE]
            if "[" in shown and self._may_be_open(shown):  # a tag inside what may be another
                return self._run_all(text)
            parts.append(shown)
        if "[" in last and self._may_be_open(last):
            at = last.rfind("\n") + 1  # no tag goes on over a line break: it released all that was held
            begun = self._run_all(last[at:]) or [""]
            return [*parts, last[:at] + begun[0], *begun[1:]]
        parts.append(self._settle(last))
        return parts

    def _settle(self, text: str) -> str:
        """Show text after which no frame is open, but for the white space at its end."""
        end = max(len(text.rstrip(_SPACE)), len(text) - MAX_TAG_SPACE)
        self._pending = text[end:]
        return text[:end]

    def _may_be_open(self, piece: str) -> bool:
        """Whether a frame may be open after text with a bracket and without a tag; never wrong where it says no."""
        at = piece.rfind("[")
        end = piece[at : at + self._names.longest + MAX_TAG_SPACE]
        return self._names.is_part(end.rstrip(_SPACE))

    # ------------------------------------------------------------------------------------------- the machine

    def _run(self, text: str, out: Parts, *, until_idle: bool = False) -> int:
        """Read text to its end, or until nothing but white space is held, and answer the offset then."""
        self._use_frames()
        at = 0
        while at < len(text):
            if self._frames:
                at = self._read(text, at, out)
            elif until_idle and not (self._guard or self._seams):
                break
            else:
                at = self._skip(text, at, out)
        self._busy = bool(self._frames or self._guard or self._seams)
        if len(self._frames) == 1 and not (self._pending or self._guard or self._seams):
            ((self._pending, self._part),) = self._frames
            self._frames = []
        return at

    def _use_frames(self) -> None:
        """Make a frame of a part that is held alone."""
        if self._part:
            self._frames = [(self._pending, self._part)]
            self._pending = self._part = ""

    def _run_all(self, text: str) -> list[str]:
        """Read text to its end, and answer in parts."""
        out = Parts()
        self._run(text, out)
        return out.parts()

    def _skip(self, text: str, at: int, out: Parts) -> int:
        """Read on to the next bracket, and over it, while no frame is open."""
        bracket = text.find("[", at)
        plain = text[at:] if bracket < 0 else text[at:bracket]
        shown = plain.rstrip(_SPACE)
        if shown:
            self._release(shown, out)
        self._wait(plain[len(shown) :], out)
        if bracket < 0:
            return len(text)
        self._open()
        return bracket + 1

    def _read(self, text: str, at: int, out: Parts) -> int:
        """Read one character, or one run of white space, while a frame is open."""
        character = text[at]
        if not self._pending and self._extend(character, out):
            return at + 1
        if character in _SPACE:
            run = cast("re.Match[str]", _SPACES.match(text, at)).end()
            self._wait(text[at:run], out)
            return run
        if character == "[":
            self._make_room(out)
            self._open()
        else:
            self._release(character, out)
        return at + 1

    def _extend(self, character: str, out: Parts) -> bool:
        """Go on with the part of the top frame, where the character does."""
        space, part = self._frames[-1]
        part += character
        if character == "]" and self._names.is_tag(part):
            self._frames.pop()
            self._seam(out)
            return True
        if not self._names.is_part(part):
            return False
        self._frames[-1] = space, part
        return True

    def _open(self) -> None:
        self._frames.append((self._pending, "["))
        self._pending = ""

    def _wait(self, space: str, out: Parts) -> None:
        """Let white space join the pending run."""
        if not space:
            return
        self._make_room(out)
        self._pending += space
        if len(self._pending) > MAX_TAG_SPACE:
            held, self._pending = self._held(), self._pending[-MAX_TAG_SPACE:]
            self._frames = []
            self._force(held[:-MAX_TAG_SPACE], out)

    def _make_room(self, out: Parts) -> None:
        """Release the oldest frame where no further may be opened."""
        if len(self._frames) == MAX_OPEN_TAGS:
            self._force("".join(self._frames.pop(0)), out)

    # --------------------------------------------------------------------------------- what is held, and its end

    def _held(self) -> str:
        return "".join(map("".join, self._frames)) + self._pending

    def _seam(self, out: Parts) -> None:
        """Note that something was deleted where what is held ends now; with it went every seam in it."""
        end = len(self._held())
        self._seams = [seam for seam in self._seams if seam < end]
        if end:
            self._seams.append(end)
        else:
            out.seam()

    def _release(self, text: str, out: Parts) -> None:
        """Show all that is held, and then the text."""
        held, self._frames, self._pending = self._held(), [], ""
        self._give(held, out)
        self._show(text, out)

    def _force(self, text: str, out: Parts) -> None:
        """Show the beginning of what is held, before it is known what becomes of it. No closing bracket is in it."""
        end, self._guard = self._guard + text, ""
        self._give(text, out)
        end = end[end.rfind("[") :]
        self._guard = folded(end) if self._names.is_part(end) else ""

    def _give(self, text: str, out: Parts) -> None:
        """Show the beginning of what is held, with the seams in it."""
        shown = 0
        seams, self._seams = self._seams, []
        for seam in seams:
            if seam > len(text):
                self._seams.append(seam - len(text))
                continue
            self._show(text[shown:seam], out)
            out.seam()
            shown = seam
        self._show(text[shown:], out)

    def _show(self, text: str, out: Parts) -> None:
        """Show text that was released, but for a bracket that would finish a tag in the output."""
        shown = 0
        for at, character in enumerate(text if self._guard else ""):
            if character == "]" and self._guard[1:] in self._names.all:
                out.text(text[shown:at])
                out.seam()
                shown = at + 1
                continue
            self._guard += folded(character)
            if not self._names.is_part(self._guard):
                self._guard = ""  # nor does the rest of the text leave an unfinished tag: it was released unforced
                break
        out.text(text[shown:])
