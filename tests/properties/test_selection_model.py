"""Selection held against a plain model of its rules: as slow as can be, and written from the rules alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    DropCode,
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
    clean_content,
    neutralise_markers,
    render_fragments,
    safe_source,
    select_fragments,
    shows_blank,
)
from symfonic.testing.knowledge.strategies import hostile_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY: Final = bytes(range(32))
ASKING: Final = "tenant\x1facme"
VISIBLE: Final = ("", ASKING)
PATHS: Final = (
    "",
    "",
    "",
    ASKING,
    ASKING,
    "tenant\x1facme-labs",
    "tenant\x1fother",
    "tenant",
    f"{ASKING}\x1fuser\x1f7",
    None,
    7,
)


class Usable(NamedTuple):
    """A row that can be ranked, in the order of ranking."""

    score: float
    source: str
    content: str
    hidden: bool
    document: str | None


Told = tuple[object, str, float | None, float | None]
"""Source, code and both numbers of a drop."""


# ------------------------------------------------------------------------------------------------- the plain model


def plain(text: str) -> str:
    """The characters of a text, whatever it says of itself."""
    return "".join(list(text))


def number(score: Any) -> float:
    """The score as a float; what is no real number is not a number."""
    if type(score) is bool or not isinstance(score, Real):
        return math.nan
    try:
        return float(score) or 0.0
    except OverflowError:
        return math.nan


def fault(row: Any) -> DropCode | None:
    """Why a row cannot be ranked, in the order of the checks."""
    if not math.isfinite(number(row.score)):
        return DropCode.BAD_SCORE
    if not isinstance(row.content, str):
        return DropCode.BAD_CONTENT
    if not isinstance(row.source, str):
        return DropCode.BAD_SOURCE
    if any("\ud800" <= c <= "\udfff" for c in plain(row.content) + plain(row.source)):
        return DropCode.BAD_TEXT
    return DropCode.BLANK if shows_blank(plain(row.content)) else None


def noted(row: Any, key: str) -> str | None:
    """What ingestion wrote under a reserved key."""
    try:
        value = row.metadata.get(key) if isinstance(row.metadata, Mapping) else None
    except RuntimeError:
        return None
    return plain(value) if isinstance(value, str) else None


def usable(row: Any, policy: RetrievalPolicy) -> Usable:
    """What ranks a row: score, source and content, then whatever of its metadata decides about it."""
    hidden = policy.prove_scope and noted(row, "scope_path") not in VISIBLE
    document = noted(row, "document") if policy.cap_documents else None
    return Usable(number(row.score), plain(row.source), plain(row.content), hidden, document)


def rank(row: Usable, policy: RetrievalPolicy) -> tuple[Any, ...]:
    """The total order; a document counts where there is a cap to count it under."""
    capped = policy.max_per_source is not None
    document = (row.document is not None, row.document or "") if capped else ()
    return (-row.score, row.source, row.content, row.hidden, document)


def rendered(row: Usable, policy: RetrievalPolicy) -> tuple[str, str]:
    """The content as it is shown, and the whole line."""
    content = clean_content(row.content)
    if policy.neutralise_markers:
        content, _ = neutralise_markers(content)
    return content, f"SOURCE [{safe_source(row.source)}{tag(row, policy)}]: {content}"


def tag(row: Usable, policy: RetrievalPolicy) -> str:
    """The keyed tag by its definition."""
    if policy.key is None:
        return ""
    parts = [part.encode() for part in (ASKING, row.source, row.content)]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    whole = hmac.digest(policy.key, b"symfonic-knowledge fragment tag 1" + message, hashlib.sha256)
    return " ·" + base64.b32encode(whole).decode().lower()[:10]


def verdict(
    row: Usable, admitted: list[Usable], policy: RetrievalPolicy
) -> tuple[DropCode, float | None, float | None] | None:
    """Why a ranked row is dropped after these were admitted: the first check it fails."""
    content, line = rendered(row, policy)
    lines = [rendered(other, policy)[1] for other in admitted]
    most = policy.max_per_source
    alike = sum(other.source == row.source for other in admitted)
    together = sum(other.document == row.document for other in admitted) if row.document is not None else 0
    total = len("\n".join([*lines, line]))
    shown = [(other.source, rendered(other, policy)[0]) for other in admitted]
    checks: list[tuple[bool, DropCode, float | None, float | None]] = [
        (row.hidden, DropCode.OUT_OF_SCOPE, None, None),
        (len(admitted) >= policy.limit, DropCode.OVER_LIMIT, None, policy.limit),
        (row.score < policy.min_score, DropCode.BELOW_FLOOR, row.score, policy.min_score),
        (
            len(row.content) > policy.max_fragment_chars,
            DropCode.OVER_FRAGMENT,
            len(row.content),
            policy.max_fragment_chars,
        ),
        (most is not None and max(alike, together) >= most, DropCode.OVER_SOURCE, (most or 0) + 1, most),
        (policy.drop_duplicates and (row.source, content) in shown, DropCode.DUPLICATE, None, None),
        (total > policy.max_total_chars, DropCode.OVER_TOTAL, total, policy.max_total_chars),
    ]
    return next(((code, actual, ceiling) for failed, code, actual, ceiling in checks if failed), None)


def modelled(rows: list[Any], policy: RetrievalPolicy) -> tuple[list[str], list[Told]]:
    """The lines of the prompt and the drops behind it, by the rules."""
    bad = sorted(((code, row) for row in rows if (code := fault(row)) is not None), key=lambda pair: by_fault(*pair))
    dropped: list[Told] = [(shown(row.source), code.value, None, None) for code, row in bad]
    admitted: list[Usable] = []
    good = [usable(row, policy) for row in rows if fault(row) is None]
    for row in sorted(good, key=lambda row: rank(row, policy)):
        found = verdict(row, admitted, policy)
        if found is None:
            admitted.append(row)
        else:
            dropped.append((row.source, found[0].value, found[1], found[2]))
    return [rendered(row, policy)[1] for row in admitted], dropped


def by_fault(code: DropCode, row: Any) -> tuple[str, str, str, str]:
    """Code, type name of the source, the source or its repr, and what tells reasons with one code apart."""
    source = shown(row.source)
    kind = type(row.content).__name__ if code is DropCode.BAD_CONTENT else ""
    return (code.value, type(source).__name__, source if isinstance(source, str) else repr(source), kind)


def shown(source: object) -> object:
    """A source as the account holds it."""
    return plain(source) if isinstance(source, str) else source


# -------------------------------------------------------------------------------------------------------- the proof


def policies() -> st.SearchStrategy[RetrievalPolicy]:
    """Plain and hardened ones, with ceilings small enough to be met."""
    ceilings: dict[str, st.SearchStrategy[Any]] = {
        "limit": st.sampled_from([6, 9, 3, 2, 1, 0]),
        "min_score": st.sampled_from([-10.0, 0.0, 0.5]),
        "max_fragment_chars": st.sampled_from([2000, 2000, 40]),
        "max_total_chars": st.sampled_from([8000, 8000, 240, 120]),
        "max_per_source": st.sampled_from([None, None, None, 2, 1, 0]),
    }
    names = ("neutralise_markers", "drop_duplicates", "prove_scope", "report_confusables", "cap_documents")
    switches = {name: st.booleans() for name in names}
    return st.one_of(
        st.fixed_dictionaries(ceilings).map(lambda fields: RetrievalPolicy(**fields)),
        st.fixed_dictionaries(ceilings | switches).map(lambda fields: RetrievalPolicy(**fields)),
        st.fixed_dictionaries(ceilings | {"cap_documents": st.booleans()}).map(
            lambda fields: RetrievalPolicy.hardened(key=KEY, **fields)
        ),
    )


def told(selection: FragmentSelection) -> list[Told]:
    """The drops as the model tells them."""
    return [(source, reason.code.value, reason.actual, reason.ceiling) for source, reason in selection.dropped]


def doubled(rows: list[RetrievedFragment]) -> Iterator[RetrievedFragment]:
    """The rows and, for each, a twin at the same rank that is stored elsewhere."""
    for row in rows:
        yield row
        yield RetrievedFragment(row.content, row.source, row.score, {"scope_path": "", "document": "d1"})


@pytest.mark.requirement("KB-RET-ACCOUNT-2")
@pytest.mark.requirement("KB-RET-ORDER-2")
def test_selection_does_what_the_rules_say() -> None:
    """The same lines, and the same rows dropped in the same order for the same reasons with the same numbers."""
    met: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(hostile_rows(max_size=9, min_size=3, scope_paths=PATHS), policies(), st.booleans())
    @example([RetrievedFragment("a", "b", 0.5)] * 3, RetrievalPolicy(drop_duplicates=True), False)  # seldom drawn
    def check(drawn: list[RetrievedFragment], policy: RetrievalPolicy, twins: bool) -> None:  # noqa: FBT001 - drawn
        rows: list[Any] = [*doubled(drawn)] if twins else drawn
        selection = select_fragments(rows, policy, scope_path=ASKING)
        lines, drops = modelled(rows, policy)
        assert render_fragments(selection) == "\n".join(lines)
        assert told(selection) == drops
        assert len(lines) + len(drops) == len(rows)
        assert len("\n".join(lines)) <= policy.max_total_chars
        met.update(code for _, code, _, _ in drops)
        met["two admitted"] += len(lines) > 1

    check()
    of_the_read = {DropCode.UNEXAMINED, DropCode.EMPTY_SCOPE, DropCode.STORE_FAILED}
    assert set(met) == {code.value for code in set(DropCode) - of_the_read} | {"two admitted"}
    assert met["two admitted"] > 50, "a search that admits nothing proves nothing"
