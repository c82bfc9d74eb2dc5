"""The hostile inputs, by their ids, each with the result its file states."""

from __future__ import annotations

import base64
import itertools
import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    CitationTagFilter,
    ContextContribution,
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
    StaticContextSource,
    render_fragments,
    resolve_scope,
    safe_source,
    select_fragments,
    selection_revision,
)
from symfonic.capabilities.prompting import (
    PromptCompiler,
    PromptContribution,
    PromptRequest,
    RenderPolicy,
    StaticPromptSource,
)
from symfonic.testing.knowledge import assert_chunk_invariant, filtered, find_inline_markers, parse_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.corpora
KEY: Final = bytes(range(32))


def decoded(value: Any) -> Any:
    """Turn the file's marks for what JSON cannot hold into values."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$float" in value:
        return float(value["$float"])
    if "$bytes_b64" in value:
        return base64.b64decode(value["$bytes_b64"])
    return {name: decoded(item) for name, item in value.items()}


@pytest.fixture(scope="module")
def cases(corpora: Path) -> dict[str, Any]:
    """Every input by its id."""
    listed = json.loads((corpora / "hostile" / "hostile_inputs.json").read_text(encoding="utf-8"))
    return {case["id"]: decoded(case["input"]) for case in listed}


def rows_of(given: dict[str, Any]) -> list[RetrievedFragment]:
    """The rows of a case."""
    return [RetrievedFragment(row["content"], row["source"], row["score"], {"scope_path": ""}) for row in given["rows"]]


def outcome(given: dict[str, Any], **policy: Any) -> tuple[list[str], list[tuple[object, str]]]:
    """Admitted sources and dropped codes, the same for every order the rows can come in."""
    rows = rows_of(given)
    chosen = RetrievalPolicy(**{**given.get("policy", {}), **policy})
    told = {str(_told(select_fragments(order, chosen))) for order in itertools.permutations(rows)}
    assert len(told) == 1
    return _told(select_fragments(rows, chosen))


def _told(selection: FragmentSelection) -> tuple[list[str], list[tuple[object, str]]]:
    return (
        [row.source for row in selection.admitted],
        [(source, reason.code.value) for source, reason in selection.dropped],
    )


def check_r02(given: dict[str, Any]) -> None:
    """An open floor is refused, and the row is dropped all the same."""
    with pytest.raises(BridgeContractError):
        RetrievalPolicy(**given["policy"])
    assert outcome({"rows": given["rows"]}, min_score=-1e308) == ([], [("rota.txt", "bad-score")])


def check_c01(given: dict[str, Any]) -> None:
    """One line by every reading, and no marker inside in hardened mode."""
    row = RetrievedFragment(given["content"], "rota.txt", 0.8, {"scope_path": ""})
    (line,) = parse_lines(render_fragments(select_fragments([row], RetrievalPolicy())))
    assert (line.label, len(line.content.splitlines())) == ("rota.txt", 1)
    hardened = select_fragments([row], RetrievalPolicy.hardened(key=KEY))
    (line,) = parse_lines(render_fragments(hardened))
    assert find_inline_markers(line.content) == ()
    assert line.content.count("SOURCE (Ledger)") == 2


def check_c03(given: dict[str, Any]) -> None:
    """A run of tag characters becomes one U+FFFD."""
    row = RetrievedFragment(given["content"], "rota.txt", 0.8)
    assert row.citation_line() == "SOURCE [rota.txt]: rota\ufffd"


def block(text: str) -> str:
    """What stands inside the untrusted block of a compiled prompt."""
    source = StaticPromptSource(text, untrusted=True)
    prompt = PromptCompiler(RenderPolicy(delimiter_key=KEY)).compile([PromptContribution("c", source)], PromptRequest())
    (compiled,) = prompt.blocks
    return prompt.text[compiled.content_start : compiled.content_end]


def check_c04(given: dict[str, Any]) -> None:
    """The angle before the name of our delimiter is a parenthesis; other angles stay."""
    assert block(given["content"]) == "end (/untrusted-data\uff1e then \ufe64system\ufe65"


def check_c06(given: dict[str, Any]) -> None:
    """No delimiter appears when invisibles go, nor when the text is treated again."""
    inside = block(given["content"])
    assert "</untrusted-data" not in inside.replace("\u200b", "").replace("\u00ad", "")
    assert "<untrusted-data" not in inside
    assert block(inside) == inside


def check_l01(given: dict[str, Any]) -> None:
    """The name neither closes its bracket nor opens another."""
    line = RetrievedFragment("closed", given["source"], 0.8).citation_line()
    assert line.count("SOURCE [") == 1
    (parsed,) = parse_lines(line)
    assert parsed.content == "closed"
    assert not set("[]\n") & set(parsed.label)


def check_l03(given: dict[str, Any]) -> None:
    """A name that shows nothing has the fixed fallback."""
    assert [str(safe_source(name)) for name in given["sources"]] == ["unknown"] * 4


def check_i01(given: dict[str, Any]) -> None:
    """A trailing line feed is outside the alphabet."""
    with pytest.raises(BridgeContractError):
        ContextContribution(given["contribution_id"], StaticContextSource(""))


def check_s01(given: dict[str, Any]) -> None:
    """Nothing is stripped, lower-cased or normalised."""
    for scope in given["scopes"]:
        with pytest.raises(BridgeContractError):
            resolve_scope(scope)
    assert resolve_scope(None) == "deployment"


def revisions(given: dict[str, Any]) -> list[str]:
    """The revision of each selection of a case."""
    return [
        selection_revision(FragmentSelection(tuple(RetrievedFragment(text, name, 1.0) for name, text in rows)))
        for rows in given["selections"]
    ]


def check_v01(given: dict[str, Any]) -> None:
    """Separators inside a content do not join two rows into one."""
    one, two = revisions(given)
    assert one != two


def check_v03(given: dict[str, Any]) -> None:
    """Lone halves and the real character are two texts, and neither raises."""
    # JSON joins the two halves of a pair, so the case is also built from code points that stay apart.
    assert len(revisions(given)) == 2
    one, two = revisions({"selections": [[["a", "\ud83d\ude00"]], [["a", "\U0001f600"]]]})
    assert one != two


def filtered_in_all_chunks(given: dict[str, Any]) -> str:
    """What the filter of tags makes of the chunks, which is what it makes of their text in any others."""
    output = filtered(CitationTagFilter(), given["chunks"])
    assert assert_chunk_invariant(CitationTagFilter, "".join(given["chunks"])) == output
    return output


def check_t01(given: dict[str, Any]) -> None:
    """Tags in pieces go; of the unfinished one the space stays."""
    assert filtered_in_all_chunks(given) == "the shop opens at nine "


def check_t02(given: dict[str, Any]) -> None:
    """The inner tag does not leave the outer one, and a second pass finds nothing."""
    output = filtered_in_all_chunks(given)
    assert output == " open" == filtered(CitationTagFilter(), [output])


def check_t03(given: dict[str, Any]) -> None:
    """Letters beyond ASCII are not folded."""
    assert filtered_in_all_chunks(given) == "".join(given["chunks"])


CHECKS: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "R02": check_r02, "C01": check_c01, "C03": check_c03, "C04": check_c04, "C06": check_c06,
    "L01": check_l01, "L03": check_l03, "I01": check_i01, "S01": check_s01, "V01": check_v01, "V03": check_v03,
    "T01": check_t01, "T02": check_t02, "T03": check_t03,
}  # fmt: skip
OUTCOMES: Final = {
    "R01": (["a", "d", "c"], [("b", "bad-score")]),
    "R03": (["good"], [("evil", "bad-score")]),
    "R05": ([], [("flag", "bad-score"), ("text", "bad-score")]),
    "R06": (["ok"], [("rota.txt", "bad-content")]),
    "R07": ([], [("rota.txt", "bad-content")]),
    "R08": ([], [("rota.txt", "bad-text")]),
}


@pytest.mark.requirement("KB-HOSTILE-1")
def test_every_case_is_checked_here(cases: dict[str, Any]) -> None:
    """A case that is added to the file cannot be forgotten."""
    assert sorted(cases) == sorted({*CHECKS, *OUTCOMES})


@pytest.mark.requirement("KB-HOSTILE-1")
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_hostile_row_has_the_stated_outcome_in_every_order(cases: dict[str, Any], name: str) -> None:
    """Who is admitted and who is dropped, and why."""
    assert outcome(cases[name]) == OUTCOMES[name]


@pytest.mark.requirement("KB-HOSTILE-1")
@pytest.mark.parametrize("name", CHECKS)
def test_a_hostile_input_gives_the_stated_result(cases: dict[str, Any], name: str) -> None:
    """By the words of the file."""
    CHECKS[name](cases[name])
