"""What the conformance suite stores and asks.

Rules of this module: values only, the same on every run. Every passage is a short English sentence that shares words
with the question that has to find it, so that a store of any kind can be held to the suite.
"""

from __future__ import annotations

from typing import Final

from symfonic.capabilities.knowledge import ScopePath

from .fakes import SeedRow

HOSTILE_QUERIES: Final = (
    "",
    " ",
    "?",
    '"',
    "'",
    "C++",
    "don't",
    "foo-bar",
    "col:val",
    "NEAR(a b)",
    "a AND",
    "OR",
    "NOT nine",
    "*",
    "nine*",
    "^nine",
    "(((",
    "{scope_path}",
    "'; DROP TABLE chunk; --",
    "nine' OR '1'='1",
    'nine" OR "1"="1',
    "nine') OR 1=1 --",
    "%' OR scope_path LIKE '%",
    "scope_path:acme-labs",
    "tenant\x1facme-labs nine",
    "%",
    "\\",
    "\x00nine",
    "\u202enine",
    "nine \ud800",
    "質問",
    "🙂",
    "nine " * 2000,
)
"""Questions as people and attackers type them.

None may raise or widen the scope, whatever a store's query language makes of it.
"""

ACME: Final = str(ScopePath.of(("tenant", "acme")))
USER: Final = str(ScopePath.of(("tenant", "acme"), ("user", "7")))
LABS: Final = str(ScopePath.of(("tenant", "acme-labs")))
PLACES: Final = ("", ACME, USER, LABS)

ROWS: Final = (
    SeedRow(content="the shop opens at nine on weekdays", source="rota.md"),
    SeedRow(content="the warehouse opens at seven", source="warehouse.md"),
    SeedRow(content="refunds are paid within nine days", source="refunds.md"),
    SeedRow(content="parking is free for visitors", source="parking.md"),
)
TIED: Final = tuple(SeedRow(content="opens at nine", source=f"{name}.md") for name in "abcd")
#: One source with two passages, and one passage in two sources.
SEVERAL: Final = (
    SeedRow(content="the shop opens at nine", source="rota.md"),
    SeedRow(content="the cellar opens at ten, not nine", source="rota.md"),
    SeedRow(content="the shop opens at nine", source="notice.md"),
)
#: Contents and names that a clean-up step, a normal form or an escaping changes; each holds the word nine.
ODD: Final = (
    SeedRow(content="  nine [red] SOURCE [x]: \u202b y\n\n ", source="odd] name\u200b.md"),
    SeedRow(content="nine 5\u00b2 \ufb01re \uff21 \u2460 \u212b \u00bd", source="R\u00e9sum\u00e9 \u2460.md"),
    SeedRow(content="nine caf\u00e9 and cafe\u0301", source=" Leave.MD "),
    SeedRow(content="\tnine\r\nlines\u2028and\u00a0two  spaces\u3000", source="a/b\\c.md"),
    SeedRow(content="nine &amp; <b>bold</b> %20 \\n 'once' \"twice\"", source="'&lt;%20\".md"),
    SeedRow(content="nine \u200b\ufeffhid\u00adden \U0001f469\u200d\U0001f469", source="\U0001f4d2.md"),
    SeedRow(content="nine " + "long passages stay whole " * 120 + "to the end", source="long.md"),
)
_NAMES: Final = (
    *("leave.md", "Leave.md", "LEAVE.MD", " leave.md", "leave.md ", "leave", "leave.md.md", "a/leave.md", "b/leave.md"),
    *("caf\u00e9.md", "cafe\u0301.md", "cafe.md", "\uff4ceave.md", "l\u0435ave.md", "leave\u200b.md"),
)
NAMED: Final = tuple(SeedRow(content="the shop opens at nine", source=name) for name in _NAMES)

TENANTS: Final = (
    SeedRow(content="the shop opens at nine", source="all.md"),
    SeedRow(content="the shop opens at nine", source="acme.md", scope_path=ACME),
    SeedRow(content="the shop opens at nine", source="user.md", scope_path=USER),
    SeedRow(content="the shop opens at nine", source="labs.md", scope_path=LABS),
)
#: The same source in every scope, with the same passage and with one of its own.
NAMESAKES: Final = tuple(
    SeedRow(content=content, source="rota.md", scope_path=path)
    for number, path in enumerate(PLACES)
    for content in ("the shop opens at nine", f"the shop has door {number}")
)
#: Few rows that answer a question poorly, and many that answer it well and belong to others, beside and below.
FEW: Final = (
    SeedRow(content="visitors park behind the shop", source="parking.md"),
    SeedRow(content="the shop sells bread and milk", source="bread.md", scope_path=ACME),
)
CROWD: Final = tuple(
    SeedRow(content=f"shop opens nine {number}", source=f"{number}.md", scope_path=path)
    for path in (LABS, USER)
    for number in range(120)
)

# Ids that some comparison other than equality takes for `acme`, or that make such a comparison take others for them.
_ALIKE: Final = (
    *("acme", "Acme", "ACME", "acm", "acme-labs", "acme.labs", "acme labs", "labs acme"),
    *("a_me", "acme%", "%", "_", "*", "acme*", "a?me", "[a]cme", ".*", "acme|labs"),
    *("acme'", 'acme"', "acme\\", "acme/", "acme' OR '1'='1", "0", "00", "null"),
    *("caf\u00e9", "cafe\u0301", "cafe", "stra\u00dfe", "strasse", "\uff41cme", "\u0430cme", "\u212a1", "K1", "k1"),
)
# One id that reads like two pairs wherever parts are joined by a sign that an id may hold, or by nothing.
_JOINTS: Final = ("", "/", ":", ".", "|", ",", ";", "-", "_", " ", "=", "&", "#", "\\", "::", "%1F", "\u241f", "\\x1f")
_JOINED: Final = (
    *(f"acme{joint}user{joint}7" for joint in _JOINTS),
    *(f"acme{outer}user{inner}7" for inner in (":", "=") for outer in "/.|,;&# " if outer != inner),
)
SIBLINGS: Final = (
    "",
    *(str(ScopePath.of(("tenant", name))) for name in (*_ALIKE, *_JOINED)),
    *(str(ScopePath.of(("tenant", name), ("user", "7"))) for name in ("acme", "acme-labs", "Acme", "a_me", "%")),
    str(ScopePath.of(("tenant", "acme"), ("user", "70"))),
    str(ScopePath.of(("tenant", "acme"), ("User", "7"))),
    str(ScopePath.of(("tenant", "acme"), ("user", "7"), ("session", "1"))),
    str(ScopePath.of(("user", "7"))),
    str(ScopePath.of(("user", "7"), ("tenant", "acme"))),
    str(ScopePath.of(("team", "acme"))),
    str(ScopePath.of(("Tenant", "acme"))),
    str(ScopePath.of(("acme", "tenant"))),
)
ASKED: Final = (
    *SIBLINGS,
    *(str(ScopePath.of(("tenant", name))) for name in ("nobody", "acme_labs", "a%", "ac*")),
    str(ScopePath.of(("tenant", "labs"), ("user", "7"))),
    str(ScopePath.of(("tenant", "acme"), ("user", "8"))),
)
_LONG: Final = "0123456789abcdef" * 18
#: Paths of about three hundred characters that differ in their first or in their last ones.
LONG: Final = (
    *(str(ScopePath.of(("tenant", _LONG + end))) for end in ("1", "2", "12")),
    *(str(ScopePath.of(("tenant", start + _LONG))) for start in "12"),
    *(str(ScopePath.of(("tenant", _LONG + "1"), ("user", user))) for user in ("7", "8")),
    str(ScopePath.of(("tenant", _LONG))),
)


def rows_at(paths: tuple[str, ...]) -> tuple[SeedRow, ...]:
    """The same passage at each of these paths, under a name of its own."""
    return tuple(
        SeedRow(content="the shop opens at nine", source=f"{number}.md", scope_path=path)
        for number, path in enumerate(paths)
    )
