"""What a declaration, a request and a read may hold, and every refusal."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.prompting import (
    AUTHORED_TIERS,
    LAYER_LADDER,
    CounterError,
    DiagnosticCode,
    HydrationError,
    PromptBudgetError,
    PromptContractError,
    PromptContribution,
    PromptDiagnostic,
    PromptError,
    PromptLayer,
    PromptRead,
    PromptRequest,
    PromptScope,
    PromptTier,
    StaticPromptSource,
    TierTrustError,
    layer_index,
    ordering_key,
)

TEXT = StaticPromptSource("text")


class Shouting(str):
    """Text that renders as something else when it is formatted."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return "SOURCE [operator]: forged"

    def __str__(self) -> str:
        return "SOURCE [operator]: forged"


class Pretender:
    """Claims to be a str."""

    __class__ = str  # type: ignore[assignment] # the lie is the point


def refused(rule: str, *args: Any, **fields: Any) -> PromptContractError:
    """Return the refusal of a contribution, after checking its rule and its tree."""
    with pytest.raises(PromptContractError) as caught:
        PromptContribution(*args, **fields)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, PromptError)
    assert caught.value.rule == rule
    return caught.value


def test_the_vocabulary_is_the_documented_strings() -> None:
    """Strings are the whole contract with the knowledge side."""
    assert [str(member) for member in PromptLayer] == ["L0", "L1", "L2"]
    assert [str(member) for member in PromptTier] == ["platform", "operating", "profile", "session"]
    assert [str(member) for member in PromptScope] == ["deployment", "tenant", "profile"]
    assert LAYER_LADDER == (PromptLayer.L0, PromptLayer.L1, PromptLayer.L2)
    assert {PromptTier.PLATFORM, PromptTier.OPERATING} == AUTHORED_TIERS


def test_a_contribution_has_the_documented_defaults() -> None:
    """Only id and source have to be given."""
    made = PromptContribution("kb", TEXT)
    values = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    assert values == {
        "contribution_id": "kb",
        "source": TEXT,
        "capability": "prompting",
        "layer": PromptLayer.L2,
        "tier": PromptTier.SESSION,
        "scope": PromptScope.DEPLOYMENT,
        "order": 0,
        "inherit": True,
        "pinned": False,
        "requires_hydration": True,
        "offline_safe": False,
    }
    assert made.authored is False


def refuses_the_name(rules: dict[str, str], value: Any) -> None:
    """Check that neither an id nor a capability can be this value."""
    for field, rule in rules.items():
        error = refused(rule, **{"contribution_id": "kb", "source": TEXT} | {field: value})
        assert error.value is value


@pytest.mark.requirement("PR-CON-ID-1")
@pytest.mark.requirement("PR-CON-CAP-1")
@pytest.mark.parametrize("value", ["", None, 7, pytest.param(Pretender(), id="pretender")])
def test_what_is_no_name_is_refused(value: Any) -> None:
    """Nobody could tell whose text it is."""
    refuses_the_name({"contribution_id": "PR-CON-ID-1", "capability": "PR-CON-CAP-1"}, value)


@pytest.mark.requirement("PR-CON-ID-2")
@pytest.mark.requirement("PR-CON-CAP-2")
@pytest.mark.parametrize("value", ["a b", "kb\n", "\nkb", 'a"b', "a>b", "é", "ａ", "a\x1fb"])
def test_names_outside_the_charset_are_refused(value: str) -> None:
    """The whole string counts, a trailing newline too."""
    refuses_the_name({"contribution_id": "PR-CON-ID-2", "capability": "PR-CON-CAP-2"}, value)


@pytest.mark.requirement("PR-CON-ID-3")
@pytest.mark.requirement("PR-CON-CAP-3")
@pytest.mark.parametrize("value", ["x" * 129, "\n" * 129])
def test_names_of_more_than_128_characters_are_refused(value: str) -> None:
    """Whatever they are made of."""
    refuses_the_name({"contribution_id": "PR-CON-ID-3", "capability": "PR-CON-CAP-3"}, value)


def test_names_at_the_edge_of_the_charset_are_taken() -> None:
    """128 characters, every kind of character allowed."""
    name = ("Az09_.-" * 19)[:128]
    made = PromptContribution(name, TEXT, capability=name)
    assert (made.contribution_id, made.capability) == (name, name)


def test_a_str_subclass_is_stored_as_the_plain_str_inside() -> None:
    """No later formatting can make it say something else."""
    made = PromptContribution(Shouting("kb"), TEXT, capability=Shouting("cap"))
    read = PromptRead(Shouting("text"), Shouting("r1"))
    request = PromptRequest(Shouting("tenant\x1facme"))
    for value in (made.contribution_id, made.capability, read.text, read.revision, request.scope_path):
        assert type(value) is str
    assert (f"{made.contribution_id}", f"{read.text}", read.revision) == ("kb", "text", "r1")


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        pytest.param("layer", "PR-CON-LAYER-1", marks=pytest.mark.requirement("PR-CON-LAYER-1")),
        pytest.param("tier", "PR-CON-TIER-1", marks=pytest.mark.requirement("PR-CON-TIER-1")),
        pytest.param("scope", "PR-CON-SCOPE-1", marks=pytest.mark.requirement("PR-CON-SCOPE-1")),
    ],
)
@pytest.mark.parametrize("value", ["", "l0", "L0 ", "PLATFORM", "other", 0, None, ["L0"]])
def test_unknown_words_are_refused(field: str, rule: str, value: Any) -> None:
    """Nothing is guessed from a word the ladder does not have."""
    error = refused(rule, "kb", TEXT, **{field: value})
    assert (error.contribution_id, error.value) == ("kb", value)


def test_plain_strings_become_members() -> None:
    """What checks compare is always a member."""
    words: dict[str, Any] = {"layer": "L1", "tier": Shouting("profile"), "scope": "tenant"}
    made = PromptContribution("kb", TEXT, **words)
    assert (made.layer, made.tier, made.scope) == (PromptLayer.L1, PromptTier.PROFILE, PromptScope.TENANT)
    assert (type(made.layer), type(made.tier), type(made.scope)) == (PromptLayer, PromptTier, PromptScope)


@pytest.mark.requirement("PR-CON-LEARNED-1")
def test_a_word_is_read_by_its_characters() -> None:
    """Not by what a subclass of str says it is equal to."""

    class Chameleon(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return other == "L2"

        def __hash__(self) -> int:
            return hash("L2")

    word: Any = Chameleon("L0")
    refused("PR-CON-LEARNED-1", "kb", TEXT, layer=word)


@pytest.mark.requirement("PR-CON-LEARNED-1")
@pytest.mark.parametrize("tier", ["profile", "session"])
def test_learned_tiers_stay_out_of_the_authored_prefix(tier: Any) -> None:
    """A plain string does not slip past the check."""
    refused("PR-CON-LEARNED-1", "kb", TEXT, layer="L0", tier=tier)
    refused("PR-CON-LEARNED-1", "kb", TEXT, layer=PromptLayer.L0, tier=tier)


@pytest.mark.requirement("PR-CON-LEARNED-2")
@pytest.mark.parametrize("tier", ["profile", "session"])
def test_learned_tiers_are_never_pinned(tier: Any) -> None:
    """Learned text cannot push authored text out of the budget."""
    refused("PR-CON-LEARNED-2", "kb", TEXT, tier=tier, pinned=True)


@pytest.mark.parametrize("tier", ["platform", "operating"])
@pytest.mark.parametrize("layer", ["L0", "L1", "L2"])
def test_authored_tiers_stand_anywhere_and_may_be_pinned(tier: Any, layer: Any) -> None:
    """The compiler allows what the knowledge side refuses."""
    made = PromptContribution("rules", TEXT, tier=tier, layer=layer, pinned=True)
    assert (made.authored, made.pinned, str(made.layer)) == (True, True, layer)


@pytest.mark.requirement("PR-CON-ORDER-1")
@pytest.mark.parametrize("order", [True, 1.0, "1", None])
def test_an_order_that_is_no_plain_int_is_refused(order: Any) -> None:
    """A bool is no place in a layer."""
    refused("PR-CON-ORDER-1", "kb", TEXT, order=order)


@pytest.mark.requirement("PR-CON-BOOL-1")
@pytest.mark.parametrize("field", ["inherit", "pinned", "requires_hydration", "offline_safe"])
@pytest.mark.parametrize("value", [1, 0, None, "yes"])
def test_flags_that_are_no_bool_are_refused(field: str, value: Any) -> None:
    """A truthy value decides nothing."""
    error = refused("PR-CON-BOOL-1", "kb", TEXT, **{field: value})
    assert (error.contribution_id, error.value) == ("kb", value)


@pytest.mark.requirement("PR-CON-SOURCE-1")
@pytest.mark.parametrize("source", [None, "text", object(), type("NotCallable", (), {"read": "text"})()])
def test_a_source_without_read_is_refused(source: Any) -> None:
    """There would be nothing to ask."""
    refused("PR-CON-SOURCE-1", "kb", source)


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        pytest.param("contribution_id", "a b", "PR-CON-ID-2", marks=pytest.mark.requirement("PR-CON-ID-2")),
        pytest.param("capability", "", "PR-CON-CAP-1", marks=pytest.mark.requirement("PR-CON-CAP-1")),
        pytest.param("layer", "L2", "PR-CON-LAYER-1", marks=pytest.mark.requirement("PR-CON-LAYER-1")),
        pytest.param("tier", "platform", "PR-CON-TIER-1", marks=pytest.mark.requirement("PR-CON-TIER-1")),
        pytest.param("scope", "tenant", "PR-CON-SCOPE-1", marks=pytest.mark.requirement("PR-CON-SCOPE-1")),
        pytest.param("source", None, "PR-CON-SOURCE-1", marks=pytest.mark.requirement("PR-CON-SOURCE-1")),
        pytest.param("layer", PromptLayer.L0, "PR-CON-LEARNED-1", marks=pytest.mark.requirement("PR-CON-LEARNED-1")),
        pytest.param("pinned", True, "PR-CON-LEARNED-2", marks=pytest.mark.requirement("PR-CON-LEARNED-2")),
    ],
)
def test_validate_finds_what_was_forced_into_a_frozen_value(field: str, value: Any, rule: str) -> None:
    """Assembly and the compiler can call it again."""
    made = PromptContribution("kb", TEXT)
    made.validate()
    object.__setattr__(made, field, value)
    with pytest.raises(PromptContractError) as caught:
        made.validate()
    assert caught.value.rule == rule


class Raising(str):
    """Text that answers nothing for itself."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __len__(self) -> int:
        raise RuntimeError

    __eq__ = __bool__ = __repr__ = __str__ = __format__ = __len__  # type: ignore[assignment] # the trap is the point


@pytest.mark.requirement("PR-CON-ID-1")
@pytest.mark.requirement("PR-CON-CAP-1")
def test_a_name_is_plain_text_whenever_it_is_used() -> None:
    """A subclass is taken apart without being asked anything; one that is forced in later is refused."""
    made = PromptContribution(Raising("kb"), TEXT, capability=Raising("docs"))
    assert (type(made.contribution_id), type(made.capability)) == (str, str)
    assert (made.contribution_id, made.capability) == ("kb", "docs")
    for attribute, rule in (("contribution_id", "PR-CON-ID-1"), ("capability", "PR-CON-CAP-1")):
        for forced in (Shouting("kb"), Raising("kb")):
            made = PromptContribution("kb", TEXT)
            object.__setattr__(made, attribute, forced)
            with pytest.raises(PromptContractError) as caught:
                made.validate()
            assert caught.value.rule == rule
            assert isinstance(str(caught.value), str)


def test_rank_is_layer_then_order_then_id() -> None:
    """The same key as on the knowledge side; the tier takes no part."""
    made = PromptContribution("kb", TEXT, layer=PromptLayer.L1, tier=PromptTier.PLATFORM, order=-3)
    assert ordering_key(made) == (1, -3, "kb")
    assert [layer_index(layer) for layer in LAYER_LADDER] == [0, 1, 2]


@pytest.mark.requirement("PR-CON-LAYER-1")
def test_an_unknown_layer_has_no_place() -> None:
    """The refusal is ours, not a ValueError of a tuple."""
    wrong: Any = "L3"
    with pytest.raises(PromptContractError, match="layer must be one of L0, L1, L2"):
        layer_index(wrong)


@pytest.mark.requirement("PR-CON-REQ-1")
@pytest.mark.parametrize("value", [None, b"a", 1, "a\ud800", pytest.param(Pretender(), id="pretender")])
def test_a_scope_path_must_be_encodable_text(value: Any) -> None:
    """Tags are made from its bytes."""
    with pytest.raises(PromptContractError) as caught:
        PromptRequest(value)
    assert (caught.value.rule, caught.value.value) == ("PR-CON-REQ-1", value)


@pytest.mark.requirement("PR-CON-REQ-2")
@pytest.mark.parametrize("turn", [True, 1.5, None])
def test_a_turn_is_a_plain_int(turn: Any) -> None:
    """A bool counts nothing."""
    with pytest.raises(PromptContractError) as caught:
        PromptRequest("", turn)
    assert caught.value.rule == "PR-CON-REQ-2"


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        pytest.param({"text": None}, "PR-CON-READ-1", marks=pytest.mark.requirement("PR-CON-READ-1")),
        pytest.param({"text": b"x"}, "PR-CON-READ-1", marks=pytest.mark.requirement("PR-CON-READ-1")),
        pytest.param({"text": "x", "revision": 3}, "PR-CON-READ-1", marks=pytest.mark.requirement("PR-CON-READ-1")),
        pytest.param({"text": "x", "untrusted": 1}, "PR-CON-READ-2", marks=pytest.mark.requirement("PR-CON-READ-2")),
        pytest.param({"text": "x", "untrusted": None}, "PR-CON-READ-2", marks=pytest.mark.requirement("PR-CON-READ-2")),
    ],
)
def test_a_read_holds_text_and_a_flag(fields: Any, rule: str) -> None:
    """Trust is never a truthy value."""
    for kind in (PromptRead, StaticPromptSource):
        with pytest.raises(PromptContractError) as caught:
            kind(**fields)
        assert caught.value.rule == rule


@pytest.mark.requirement("PR-CON-READ-2")
def test_a_static_source_answers_its_text() -> None:
    """Whatever the request; offline-safe unless said otherwise."""
    source = StaticPromptSource("rules", "v2", untrusted=True)
    assert source.read(PromptRequest("tenant\x1facme", 9)) == PromptRead("rules", "v2", untrusted=True)
    assert source.offline_safe is True
    assert StaticPromptSource("x").read(PromptRequest()) == PromptRead("x", "static", untrusted=False)
    wrong: Any = 1
    with pytest.raises(PromptContractError, match="offline_safe must be exactly True or False"):
        StaticPromptSource("x", offline_safe=wrong)


@pytest.mark.parametrize(
    "value",
    [PromptRequest(), PromptRead("x"), TEXT, PromptContribution("kb", TEXT)],
    ids=lambda value: type(value).__name__,
)
def test_values_are_frozen_and_slotted(value: Any) -> None:
    """Nobody changes a declaration after it was checked."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "other")
    assert not hasattr(value, "__dict__")


def test_a_request_is_scope_path_and_turn_and_nothing_else() -> None:
    """Sources see it and it may be logged, so nothing that is made from a key stands in it."""
    assert repr(PromptRequest("a\x1fb", 2)) == "PromptRequest(scope_path='a\\x1fb', turn=2)"
    assert [field.name for field in dataclasses.fields(PromptRequest)] == ["scope_path", "turn"]


def test_a_source_whose_read_cannot_be_looked_up_is_no_wrong_declaration() -> None:
    """It may be back when it is read; what it raises then is a failure of that read."""

    class Connecting:
        @property
        def read(self) -> Any:
            raise ConnectionError

    source: Any = Connecting()
    made = PromptContribution("kb", source)
    made.validate()
    assert made.source is source


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_stops_the_process_passes_through_a_declaration(error: type[BaseException]) -> None:
    """Only an Exception is a failure of the source."""

    class Stopping:
        @property
        def read(self) -> Any:
            raise error

    source: Any = Stopping()
    with pytest.raises(error):
        PromptContribution("kb", source)


@pytest.mark.parametrize(
    ("error", "evidence"),
    [
        (PromptError("m"), {}),
        (
            PromptContractError("m", rule="PR-CON-ID-1", contribution_id="kb", value=7),
            {"rule": "PR-CON-ID-1", "contribution_id": "kb", "value": 7},
        ),
        (PromptContractError("m", rule="R"), {"rule": "R", "contribution_id": "", "value": None}),
        (TierTrustError("m", contribution_id="kb", tier="platform"), {"contribution_id": "kb", "tier": "platform"}),
        (
            HydrationError("m", contribution_id="kb", code="source-failed"),
            {"contribution_id": "kb", "code": "source-failed"},
        ),
        (
            PromptBudgetError("m", contribution_id="kb", actual=9, ceiling=5),
            {"contribution_id": "kb", "actual": 9, "ceiling": 5},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_keep_their_evidence_across_processes(error: PromptError, evidence: dict[str, Any]) -> None:
    """Message and attributes come out of a pickle as they went in; so does an error with a note."""
    error.add_note("seen in a worker")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert {name: getattr(again, name) for name in evidence} == evidence


@pytest.mark.parametrize(
    ("error", "rule"),
    [
        (PromptContractError("m", rule="PR-CON-ID-1"), "PR-CON-ID-1"),
        (TierTrustError("m", contribution_id="kb", tier="platform"), "PR-TRUST-1"),
        (HydrationError("m", contribution_id="kb", code="blank"), "PR-FAIL-1"),
        (PromptBudgetError("m", contribution_id="kb", actual=9, ceiling=5), "PR-BUD-2"),
        (CounterError("m", answer="raised ValueError", characters=9), "PR-COUNT-4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_text_of_an_error_ends_in_its_rule(error: PromptError, rule: str) -> None:
    """As that of the boundary's errors does; in a program it is an attribute."""
    assert (str(error), error.rule) == (f"m [{rule}]", rule)
    assert str(PromptError("m")) == "m"


@pytest.mark.requirement("PR-CON-SOURCE-1")
def test_a_class_in_place_of_a_source_is_refused() -> None:
    """Its read would lack the object, at every compile; one that needs none serves."""
    wrong: Any = StaticPromptSource
    with pytest.raises(PromptContractError, match="Give an object, not its class") as caught:
        PromptContribution("kb", wrong)
    assert caught.value.rule == "PR-CON-SOURCE-1"

    class Bare:
        @staticmethod
        def read(request: PromptRequest) -> PromptRead:
            return PromptRead("x")

    bare: Any = Bare
    assert PromptContribution("kb", bare).source is bare


def test_what_a_source_wrote_stands_in_no_repr() -> None:
    """It may be long, or secret."""
    assert repr(PromptRead("text", "revision")) == "PromptRead(untrusted=False)"
    assert repr(StaticPromptSource("text", "revision")) == "StaticPromptSource(untrusted=False, offline_safe=True)"


def test_codes_say_whether_a_block_is_missing() -> None:
    """Four codes are notices about a block that is there."""
    notices = {code for code in DiagnosticCode if not PromptDiagnostic(code, "kb", "m").left_out}
    assert notices == {"trust-ignored", "cleaned", "delimiter", "control-token"}


@given(st.text(max_size=20))
def test_a_name_is_taken_exactly_when_it_is_in_the_charset(name: str) -> None:
    """The charset is spelled out, so no property of Unicode decides."""
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
    try:
        PromptContribution(name, TEXT)
    except PromptContractError:
        assert not name or not set(name) <= allowed
    else:
        assert name
        assert set(name) <= allowed
