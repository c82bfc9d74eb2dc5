"""The ceilings of this side: how much of what a store answers may reach a prompt.

Rules of this module: one value, validated where it is built, and the checks that other policies share. It never looks
at a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import EllipsisType
from typing import Any, Final, Self, TypeVar, cast

from ._refusals import refuse
from .errors import is_failure

Policy = TypeVar("Policy")

_MIN_KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class RetrievalPolicy:
    """Ceilings and switches of one retrieval. Sizes are characters, or tokens where there is a counter.

    Args:
        limit: Most rows admitted.
        min_score: Least score admitted; a finite number on the scale of the store, negative ones included.
        max_fragment_chars: Most characters of one row's raw content; a longer row is dropped whole.
        max_total_chars: Most characters of all rendered lines, line feeds between them included.
        max_per_source: Most rows admitted of one source; ``None`` for no such ceiling.
        overfetch: How many times ``limit`` rows the store is asked for, so that drops can be refilled.
        max_rows: Most rows of one answer that count; one more is pulled, to tell whether there are more.
        key: Deployment key; with it each label carries a tag that whoever writes content cannot predict. It takes no
            part in ``repr`` and comparison; ``dataclasses.asdict`` and pickles hold it.
        neutralise_markers: Whether citation markers inside content are visibly broken.
        drop_duplicates: Whether a row whose source and rendered content were admitted already is dropped.
        prove_scope: Whether every row must carry the scope path it was stored under.
        report_confusables: Whether admitted labels that look alike but differ are reported.
        cap_documents: Whether ``max_per_source`` also holds for all rows that carry one text under the reserved
            metadata key ``document``. Only for a store that writes this key itself: over one that copies metadata of
            others, a row that names somebody else's document would use up its places.
        count: Counts the tokens of a text; ``None`` counts characters. ``max_fragment_chars`` and ``max_total_chars``
            are then in its unit, and hold for what it says of the raw content and of the lines as they are joined,
            however it counts. Above 1,000 characters for each token of its ceiling a content is over it uncounted.
            What it raises, and an answer that is no plain int of at least 0, is a :class:`CounterError` of the
            selection. Takes no part in ``repr`` and comparison.

    Raises:
        BridgeContractError: A ceiling is negative or not a plain int, the floor is not finite, a switch is not a bool,
            the key is short, a key stands without ``neutralise_markers``, or a counter cannot be called.
    """

    limit: int = 3
    min_score: float = 0.0
    max_fragment_chars: int = 2000
    max_total_chars: int = 8000
    max_per_source: int | None = field(default=None, kw_only=True)
    overfetch: int = field(default=1, kw_only=True)
    max_rows: int = field(default=10_000, kw_only=True)
    key: bytes | None = field(default=None, kw_only=True, repr=False, compare=False)
    neutralise_markers: bool = field(default=False, kw_only=True)
    drop_duplicates: bool = field(default=False, kw_only=True)
    prove_scope: bool = field(default=False, kw_only=True)
    report_confusables: bool = field(default=False, kw_only=True)
    cap_documents: bool = field(default=False, kw_only=True)
    count: Callable[[str], int] | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, least in _CEILINGS:
            check_ceiling("KB-RET-POLICY-1", name, getattr(self, name), least)
        if self.max_per_source is not None:
            check_ceiling("KB-RET-POLICY-1", "max_per_source", self.max_per_source)
        _check_floor(self.min_score)
        for name in _SWITCHES:
            if type(getattr(self, name)) is not bool:
                refuse("KB-RET-POLICY-3", getattr(self, name), name=name)
        check_key(self.key, "KB-RET-POLICY-4")
        if self.key is not None and not self.neutralise_markers:
            refuse("KB-RET-POLICY-5", self.neutralise_markers)
        if self.count is not None and not callable(self.count):
            refuse("KB-RET-POLICY-9", self.count)

    @classmethod
    def hardened(  # noqa: PLR0913 - one parameter for each field
        cls,
        *,
        key: bytes,
        limit: int = 3,
        min_score: float = 0.0,
        max_fragment_chars: int = 2000,
        max_total_chars: int = 8000,
        max_per_source: int | EllipsisType | None = ...,
        overfetch: int = 1,
        max_rows: int = 10_000,
        drop_duplicates: bool = True,
        prove_scope: bool = True,
        report_confusables: bool = True,
        cap_documents: bool = False,
        count: Callable[[str], int] | None = None,
    ) -> Self:
        """Every defence switched on, those that need nothing but a key and the proof of scope.

        Args:
            key: Deployment key, at least 16 bytes, made once and kept with the store. ``None`` is refused here: a
                setting that got lost must not switch a defence off. It implies ``neutralise_markers``.
            limit: As on the class.
            min_score: As on the class.
            max_fragment_chars: As on the class.
            max_total_chars: As on the class.
            max_per_source: As on the class; left out, one less than ``limit`` (at least 1), so that one poisoned source
                cannot fill every slot.
            overfetch: As on the class.
            max_rows: As on the class.
            drop_duplicates: As on the class; can be switched off alone, as the next two.
            prove_scope: As on the class; off only for a store that is bound to one scope.
            report_confusables: As on the class.
            cap_documents: As on the class, and off here too: it depends on the store.
            count: As on the class.

        Raises:
            BridgeContractError: As the class.
        """
        if key is None:  # pyright: ignore[reportUnnecessaryComparison]  # a setting that got lost arrives like this
            refuse("KB-RET-POLICY-4", None)
        if isinstance(max_per_source, EllipsisType):
            max_per_source = max(1, limit - 1) if type(limit) is int else None
        return cls(
            limit,
            min_score,
            max_fragment_chars,
            max_total_chars,
            max_per_source=max_per_source,
            overfetch=overfetch,
            max_rows=max_rows,
            key=key,
            neutralise_markers=True,
            drop_duplicates=drop_duplicates,
            prove_scope=prove_scope,
            report_confusables=report_confusables,
            cap_documents=cap_documents,
            count=count,
        )


_CEILINGS: Final = (
    ("limit", 0),
    ("max_fragment_chars", 0),
    ("max_total_chars", 0),
    ("overfetch", 1),
    ("max_rows", 0),
)
_SWITCHES: Final = ("neutralise_markers", "drop_duplicates", "prove_scope", "report_confusables", "cap_documents")


def check_ceiling(rule: str, name: str, value: object, least: int = 0) -> None:
    """Refuse, by ``rule``, a ceiling that is less than ``least`` or no plain int."""
    if type(value) is not int or value < least:
        refuse(rule, value, name=name, least=least)


def _check_floor(value: object) -> None:
    if type(value) is bool or not issubclass(type(value), int | float) or not _is_finite(cast("float", value)):
        refuse("KB-RET-POLICY-2", value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond the range of float
        return False


def check_key(key: object, rule: str) -> None:
    """Refuse, by ``rule``, a key that is neither ``None`` nor enough bytes."""
    if key is None or (type(key) is bytes and len(key) >= _MIN_KEY_BYTES):
        return
    # Never the key itself: the message may be logged.
    refuse(rule, f"{len(key)} bytes" if type(key) is bytes else type(key).__name__)


def exact_policy(kind: type[Policy], given: object, rule: str) -> Policy:
    """A policy as it is now, checked anew; refused, by ``rule``, where it is none or cannot be read.

    A subclass may leave the checks out or answer something else every time, and a value can be changed behind its
    checks: what holds ceilings is one that nobody else has.
    """
    if not issubclass(type(given), kind):
        refuse(rule, given)
    try:
        now = {one.name: getattr(given, one.name) for one in fields(cast("Any", kind))}
    except BaseException as error:  # never filled, or of a class whose fields raise
        if not is_failure(error):
            raise
        refuse(rule, given)
    return kind(**now)
