"""Declarations: every default, and every refusal with its evidence."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any
from unittest.mock import Mock

import pytest

from symfonic.capabilities.knowledge import (
    AUTHORED_TIERS,
    LAYER_LADDER,
    BridgeContractError,
    BridgeError,
    BridgeTypeError,
    ContextContribution,
    ContextContributor,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContextScope,
    ContextSource,
    ContextTier,
    DropCode,
    DropReason,
    IngestSelection,
    StaticContextSource,
    layer_index,
    ordering_key,
    resolve_scope,
)

SOURCE = StaticContextSource("text")
AWARE = StaticContextSource("text", scope_aware=True)


class Chatty(str):
    """A str that shows something else when it is formatted or converted."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return "forged"

    def __str__(self) -> str:
        return "forged"


def refused(rule: str, **fields: Any) -> BridgeContractError:
    """Return the error that declaring ``fields`` raises, after checking its rule and whose declaration it names."""
    declared: dict[str, Any] = {"contribution_id": "handbook", "source": SOURCE, **fields}
    with pytest.raises(BridgeContractError) as caught:
        ContextContribution(**declared)
    assert caught.value.rule == rule
    assert caught.value.contribution_id == declared["contribution_id"]
    assert f"[{rule}]" in str(caught.value)
    assert "Remedy:" in str(caught.value)
    return caught.value


@pytest.mark.requirement("KB-CON-DEFAULTS-1")
def test_a_declaration_has_the_published_defaults() -> None:
    """Only id and source are needed; everything else is the least that can be claimed."""
    declared = ContextContribution("handbook", SOURCE)
    assert dataclasses.astuple(declared)[2:] == ("knowledge", "L2", "session", "deployment", 0, True, False, True)
    assert (declared.layer, declared.tier, declared.scope) == (
        ContextLayer.L2,
        ContextTier.SESSION,
        ContextScope.DEPLOYMENT,
    )


@pytest.mark.requirement("KB-CON-DEFAULTS-1")
def test_the_positional_order_of_fields_is_the_published_one() -> None:
    """Code that passes fields by position keeps working."""
    names = [field.name for field in dataclasses.fields(ContextContribution)]
    assert names == [
        "contribution_id",
        "source",
        "capability",
        "layer",
        "tier",
        "scope",
        "order",
        "inherit",
        "pinned",
        "requires_hydration",
    ]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param("contribution_id", "KB-CON-ID-1", marks=pytest.mark.requirement("KB-CON-ID-1")),
        pytest.param("capability", "KB-CON-CAPABILITY-1", marks=pytest.mark.requirement("KB-CON-CAPABILITY-1")),
    ],
)
def test_an_empty_name_is_refused(name: str, rule: str) -> None:
    """Nobody could tell whose text a diagnostic speaks of."""
    error = refused(rule, **{name: ""})
    assert error.value == ""
    assert str(error).startswith(f"{name} must not be empty")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param("contribution_id", "KB-CON-ID-2", marks=pytest.mark.requirement("KB-CON-ID-2")),
        pytest.param("capability", "KB-CON-CAPABILITY-2", marks=pytest.mark.requirement("KB-CON-CAPABILITY-2")),
    ],
)
@pytest.mark.parametrize(
    "bad", ["weather\n", "\nweather", "a b", "a]", "a/b", "ü", "a\x00", None, 7, b"id", ["id"], "id\u200b", "а"]
)
def test_a_name_outside_the_alphabet_is_refused(name: str, rule: str, bad: object) -> None:
    """The whole string counts, a trailing line feed included."""
    error = refused(rule, **{name: bad})
    assert error.value == bad
    assert str(error).startswith(f"{name} must be made of [A-Za-z0-9_.-]")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param("contribution_id", "KB-CON-ID-3", marks=pytest.mark.requirement("KB-CON-ID-3")),
        pytest.param("capability", "KB-CON-CAPABILITY-3", marks=pytest.mark.requirement("KB-CON-CAPABILITY-3")),
    ],
)
def test_a_name_over_128_characters_is_refused(name: str, rule: str) -> None:
    """Markup must not outgrow the text it stands around."""
    error = refused(rule, **{name: "x" * 129})
    assert error.value == "x" * 129
    assert str(error).startswith(f"{name} must have at most 128 characters")


def test_the_longest_id_is_accepted() -> None:
    """128 characters are within the rule."""
    name = "aZ0_.-" + "x" * 122
    assert ContextContribution(name, SOURCE, capability=name).contribution_id == name


def test_a_str_subclass_is_stored_as_what_it_holds() -> None:
    """Neither ``__str__`` nor ``__format__`` of a subclass gets a say later."""
    declared = ContextContribution(Chatty("real"), SOURCE, capability=Chatty("cap"), layer=Chatty("L1"))  # type: ignore[arg-type]  # strings are coerced
    assert type(declared.contribution_id) is str
    assert (declared.contribution_id, declared.capability, declared.layer) == ("real", "cap", ContextLayer.L1)


@pytest.mark.requirement("KB-CON-SOURCE-1")
@pytest.mark.parametrize("bad", [None, object(), "text", type("Data", (), {"read": "text"})()])
def test_a_source_without_callable_read_is_refused(bad: object) -> None:
    """There would be nothing to ask."""
    assert refused("KB-CON-SOURCE-1", source=bad).value is bad


@pytest.mark.requirement("AS-ING-1")
@pytest.mark.parametrize("tier", [ContextTier.PLATFORM, ContextTier.OPERATING, "platform", "operating"])
def test_an_authored_tier_is_refused(tier: str) -> None:
    """Ingested text can never speak as the operator."""
    assert refused("AS-ING-1", tier=tier).value in AUTHORED_TIERS


@pytest.mark.requirement("KB-CON-LAYER-2")
@pytest.mark.parametrize("layer", [ContextLayer.L0, "L0"])
def test_the_authored_prefix_is_refused_also_as_a_plain_string(layer: str) -> None:
    """``layer="L0"`` does not slip past a check that compares members."""
    assert refused("KB-CON-LAYER-2", layer=layer).value is ContextLayer.L0


@pytest.mark.requirement("KB-CON-PINNED-2")
def test_pinned_is_refused() -> None:
    """Knowledge must not outlive the operator's text when the budget is short."""
    assert refused("KB-CON-PINNED-2", pinned=True).value is True


@pytest.mark.requirement("KB-CON-SCOPE-2")
@pytest.mark.parametrize("aware", [False, None, 1, "yes"])
@pytest.mark.parametrize("scope", ["tenant", ContextScope.PROFILE])
def test_a_scope_needs_a_source_that_says_exactly_true(scope: str, aware: object) -> None:
    """A truthy ``scope_aware`` is not enough, a missing one even less."""
    source = type("Source", (), {"read": lambda self, request: ContextRead(""), "scope_aware": aware})()
    assert refused("KB-CON-SCOPE-2", scope=scope, source=source).value is aware
    assert refused("KB-CON-SCOPE-2", scope=scope, source=type("Bare", (), {"read": print})()).value is None


def test_a_scope_aware_source_may_have_any_scope() -> None:
    """The rule refuses no honest declaration."""
    scopes = [ContextContribution("x", AWARE, scope=scope).scope for scope in ContextScope]
    assert scopes == [ContextScope.DEPLOYMENT, ContextScope.TENANT, ContextScope.PROFILE]


@pytest.mark.requirement("KB-CON-ORDER-1")
@pytest.mark.parametrize("bad", [True, 1.0, "1", None])
def test_an_order_that_is_not_a_plain_int_is_refused(bad: object) -> None:
    """NaN or a bool would break the total order, or bend it silently."""
    assert refused("KB-CON-ORDER-1", order=bad).value is bad


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param("inherit", "KB-CON-INHERIT-1", marks=pytest.mark.requirement("KB-CON-INHERIT-1")),
        pytest.param("pinned", "KB-CON-PINNED-1", marks=pytest.mark.requirement("KB-CON-PINNED-1")),
        pytest.param("requires_hydration", "KB-CON-HYDRATION-1", marks=pytest.mark.requirement("KB-CON-HYDRATION-1")),
    ],
)
@pytest.mark.parametrize("bad", [0, 1, None, "True"])
def test_a_flag_that_is_not_a_bool_is_refused(name: str, rule: str, bad: object) -> None:
    """A truthy value must not decide silently."""
    error = refused(rule, **{name: bad})
    assert error.value is bad
    assert f"{name} must be a bool" in str(error)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param("layer", "KB-CON-LAYER-1", marks=pytest.mark.requirement("KB-CON-LAYER-1")),
        pytest.param("tier", "KB-CON-TIER-1", marks=pytest.mark.requirement("KB-CON-TIER-1")),
        pytest.param("scope", "KB-CON-SCOPE-1", marks=pytest.mark.requirement("KB-CON-SCOPE-1")),
    ],
)
@pytest.mark.parametrize("bad", ["l2", "Session", "tenant-a", "", True, None, ["L2"], 2])
def test_a_value_outside_a_vocabulary_is_refused(name: str, rule: str, bad: object) -> None:
    """Nothing is stripped, lower-cased or guessed."""
    error = refused(rule, **{name: bad})
    assert error.value is bad
    assert f"{name} must be one of" in str(error)


@pytest.mark.requirement("KB-CON-TIER-1")
def test_a_refused_name_is_answered_with_the_names_there_are() -> None:
    """The same words at the declaration, at a later check, and for a scope that stands alone."""
    words = (
        "tier must be one of platform, operating, profile, session, exactly in contribution 'handbook', got 'Session': "
        "a guess could widen who sees this text or how far it is trusted. "
        "Remedy: pass a member of ContextTier, or its exact string. [KB-CON-TIER-1]"
    )
    assert str(refused("KB-CON-TIER-1", tier="Session")) == words
    declared = ContextContribution("handbook", SOURCE)
    object.__setattr__(declared, "tier", "Session")
    with pytest.raises(BridgeContractError) as caught:
        declared.validate()
    assert (str(caught.value), caught.value.contribution_id, caught.value.value) == (words, "handbook", "Session")
    with pytest.raises(BridgeContractError, match=r"^scope must be one of deployment, tenant, profile, exactly, got "):
        resolve_scope("x")


def test_plain_strings_become_members() -> None:
    """Strings are coerced, so that later checks compare members."""
    declared = ContextContribution("x", AWARE, layer="L1", tier="profile", scope="tenant")  # type: ignore[arg-type]  # coerced
    assert declared.layer is ContextLayer.L1
    assert declared.tier is ContextTier.PROFILE
    assert declared.scope is ContextScope.TENANT


@pytest.mark.requirement("KB-CON-VALIDATE-1")
@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        pytest.param("contribution_id", "a\n", "KB-CON-ID-2", marks=pytest.mark.requirement("KB-CON-ID-2")),
        pytest.param("contribution_id", Chatty("ok"), "KB-CON-ID-2", marks=pytest.mark.requirement("KB-CON-ID-2")),
        pytest.param("capability", "", "KB-CON-CAPABILITY-1", marks=pytest.mark.requirement("KB-CON-CAPABILITY-1")),
        pytest.param("source", None, "KB-CON-SOURCE-1", marks=pytest.mark.requirement("KB-CON-SOURCE-1")),
        pytest.param("layer", "L1", "KB-CON-LAYER-1", marks=pytest.mark.requirement("KB-CON-LAYER-1")),
        pytest.param("layer", ContextLayer.L0, "KB-CON-LAYER-2", marks=pytest.mark.requirement("KB-CON-LAYER-2")),
        pytest.param("tier", "session", "KB-CON-TIER-1", marks=pytest.mark.requirement("KB-CON-TIER-1")),
        pytest.param("tier", ContextTier.PLATFORM, "AS-ING-1", marks=pytest.mark.requirement("AS-ING-1")),
        pytest.param("scope", "tenant", "KB-CON-SCOPE-1", marks=pytest.mark.requirement("KB-CON-SCOPE-1")),
        pytest.param("scope", ContextScope.TENANT, "KB-CON-SCOPE-2", marks=pytest.mark.requirement("KB-CON-SCOPE-2")),
        pytest.param("order", True, "KB-CON-ORDER-1", marks=pytest.mark.requirement("KB-CON-ORDER-1")),
        pytest.param("pinned", True, "KB-CON-PINNED-2", marks=pytest.mark.requirement("KB-CON-PINNED-2")),
        pytest.param("inherit", 1, "KB-CON-INHERIT-1", marks=pytest.mark.requirement("KB-CON-INHERIT-1")),
    ],
)
def test_validate_catches_what_was_changed_after_construction(name: str, value: object, rule: str) -> None:
    """Assembly calls ``validate`` again, because a frozen value can still be tampered with."""
    declared = ContextContribution("x", SOURCE)
    object.__setattr__(declared, name, value)
    with pytest.raises(BridgeContractError) as caught:
        declared.validate()
    assert caught.value.rule == rule


@pytest.mark.requirement("AS-ING-1")
def test_reads_are_untrusted_unless_said_otherwise() -> None:
    """Every default of this capability is untrusted."""
    assert ContextRead("x") == ContextRead("x", "", untrusted=True)
    assert StaticContextSource("x").read(ContextRequest("id")) == ContextRead("x", "static", untrusted=True)
    assert IngestSelection("x", "7", (("a", "blank"),)).as_read() == ContextRead("x", "7", untrusted=True)
    assert IngestSelection() == IngestSelection(text="", revision="", dropped=())


@pytest.mark.requirement("KB-CON-READ-1")
@pytest.mark.parametrize(("text", "revision"), [(None, ""), (b"x", ""), ("x", None)])
def test_a_read_of_anything_but_text_is_refused(text: Any, revision: Any) -> None:
    """Bytes and None never render as their repr."""
    for build in (ContextRead, StaticContextSource):
        with pytest.raises(BridgeContractError) as caught:
            build(text, revision)
        name, value = ("revision", revision) if text == "x" else ("text", text)
        assert (caught.value.rule, caught.value.value) == ("KB-CON-READ-1", value)
        shown = "None" if value is None else "<bytes>"
        assert str(caught.value).startswith(f"{name} must be text, got {shown}: ")


@pytest.mark.requirement("KB-CON-READ-2")
def test_trust_is_a_bool() -> None:
    """A falsy value that is no bool must not read as trusted."""
    with pytest.raises(BridgeContractError) as caught:
        ContextRead("x", untrusted=0)  # type: ignore[arg-type]  # the mistake under test
    assert (caught.value.rule, caught.value.value) == ("KB-CON-READ-2", 0)
    assert str(caught.value).startswith("untrusted must be a bool, got 0: ")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        pytest.param({"contribution_id": 7}, "KB-CON-REQUEST-1", marks=pytest.mark.requirement("KB-CON-REQUEST-1")),
        pytest.param({"scope_path": None}, "KB-CON-REQUEST-1", marks=pytest.mark.requirement("KB-CON-REQUEST-1")),
        pytest.param({"turn": True}, "KB-CON-REQUEST-2", marks=pytest.mark.requirement("KB-CON-REQUEST-2")),
        pytest.param({"turn": "1"}, "KB-CON-REQUEST-2", marks=pytest.mark.requirement("KB-CON-REQUEST-2")),
    ],
)
def test_a_request_of_the_wrong_types_is_refused(fields: dict[str, Any], rule: str) -> None:
    """A wrong scope path would be a wrong tenant."""
    with pytest.raises(BridgeContractError) as caught:
        ContextRequest(**{"contribution_id": "x", **fields})
    ((name, value),) = fields.items()
    assert (caught.value.rule, caught.value.value) == (rule, value)
    assert str(caught.value).startswith(f"{name} must be ")


def test_a_request_is_for_the_deployment_at_the_first_turn_unless_said_otherwise() -> None:
    """Turns count from 0."""
    assert dataclasses.astuple(ContextRequest("x")) == ("x", "", 0)


def test_requests_and_reads_hold_plain_text() -> None:
    """Subclasses are converted at the door."""
    request = ContextRequest(Chatty("x"), Chatty("tenant\x1fa"))
    read = ContextRead(Chatty("x"), Chatty("1"))
    assert {type(text) for text in (request.contribution_id, request.scope_path, read.text, read.revision)} == {str}
    assert (request.contribution_id, read.text) == ("x", "x")


@pytest.mark.requirement("KB-CON-STATIC-1")
@pytest.mark.parametrize("name", ["scope_aware", "offline_safe"])
@pytest.mark.parametrize("bad", [1, None, "yes"])
def test_a_switch_of_fixed_content_is_a_bool(name: str, bad: object) -> None:
    """A merely truthy one would be declared and then not count."""
    fields: dict[str, Any] = {name: bad}
    with pytest.raises(BridgeContractError, match=f"{name} must be a bool") as caught:
        StaticContextSource("text", **fields)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-STATIC-1", bad)


@pytest.mark.requirement("KB-CON-INGEST-1")
@pytest.mark.parametrize(
    "bad", [None, [], "ab", (("a", "b", "c"),), (("a",),), (("a", 7),), ((7, "a"),), ("ab",), (["a", "b"],)]
)
def test_an_account_of_what_was_left_out_is_pairs_of_text(bad: Any) -> None:
    """Whoever reads it unpacks two texts."""
    with pytest.raises(BridgeContractError, match="dropped must be a tuple of") as caught:
        IngestSelection(dropped=bad)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-INGEST-1", bad)
    reason = DropReason("missing", DropCode.BLANK)
    assert IngestSelection("x", "r", (("a", "b"), ("c", reason))).dropped[1][1] is reason


@pytest.mark.parametrize("fields", [{"text": 7}, {"revision": None}])
def test_an_ingest_selection_holds_text(fields: Any) -> None:
    """As the read it becomes."""
    with pytest.raises(BridgeContractError) as caught:
        IngestSelection(**fields)
    assert caught.value.rule == "KB-CON-READ-1"


@pytest.mark.requirement("KB-CON-ORDERING-1")
def test_ordering_is_total_layer_then_order_then_id() -> None:
    """Two contributions never tie, because ids are unique."""
    made = [
        ContextContribution("b", SOURCE, order=1),
        ContextContribution("z", SOURCE, layer=ContextLayer.L1, order=9),
        ContextContribution("a", SOURCE, order=1),
        ContextContribution("c", SOURCE, order=-1),
    ]
    assert [item.contribution_id for item in sorted(made, key=ordering_key)] == ["z", "c", "a", "b"]
    assert ordering_key(made[0]) == (2, 1, "b")
    assert [layer_index(layer) for layer in LAYER_LADDER] == [0, 1, 2]


@pytest.mark.requirement("KB-CON-SCOPE-1")
@pytest.mark.parametrize(
    "bad", ["tenant-a", "DEPLOYMENT", "deployment ", "deployment\n", "d\u0435ployment", "", True, ["deployment"]]
)
def test_an_unknown_scope_is_refused_and_never_guessed(bad: Any) -> None:
    """A guessed scope shares one tenant's content with another."""
    with pytest.raises(BridgeContractError) as caught:
        resolve_scope(bad)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-SCOPE-1", bad)


def test_scopes_resolve_by_their_exact_name_and_none_means_deployment() -> None:
    """None alone is the default."""
    assert resolve_scope(None) is ContextScope.DEPLOYMENT
    assert [resolve_scope(name) for name in ("deployment", "tenant", "profile")] == list(ContextScope)
    assert resolve_scope(ContextScope.TENANT) is ContextScope.TENANT


def test_values_are_frozen_slotted_and_cannot_grow_attributes() -> None:
    """A value that passed the refusals stays what it was."""
    for value in (ContextRequest("x"), ContextRead("x"), IngestSelection(), SOURCE, ContextContribution("x", SOURCE)):
        assert not hasattr(value, "__dict__")
        name = dataclasses.fields(value)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, "y")


def test_protocols_recognise_their_implementations() -> None:
    """Both Protocols can be asked for at run time."""

    class Library:
        def contributions(self) -> tuple[ContextContribution, ...]:
            return (ContextContribution("x", SOURCE),)

    assert isinstance(SOURCE, ContextSource)
    assert isinstance(Library(), ContextContributor)
    assert not isinstance(object(), ContextSource | ContextContributor)


class Nasty:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


def test_an_error_carries_its_evidence_across_pickling_and_survives_a_hostile_repr() -> None:
    """Evidence is attributes, not text to be parsed."""
    error = refused("KB-CON-ORDER-1", order=Nasty())
    assert "<Nasty>" in str(error)
    error = refused("KB-CON-ORDER-1", order=1.5)
    twin = pickle.loads(pickle.dumps(error))
    assert str(twin) == str(error)
    assert (twin.rule, twin.contribution_id, twin.value) == ("KB-CON-ORDER-1", "handbook", 1.5)
    assert isinstance(twin, BridgeError)
    assert isinstance(twin, ValueError)


@pytest.mark.requirement("KB-CON-ERROR-1")
@pytest.mark.parametrize("kind", [BridgeError, BridgeContractError, BridgeTypeError])
def test_every_error_of_the_boundary_carries_its_evidence(kind: type[BridgeError]) -> None:
    """Whoever catches the root reads the same attributes, here and behind a process boundary."""
    raised = kind("must, otherwise, remedy", rule="KB-X-1", contribution_id="handbook", value=7)
    for error in (raised, pickle.loads(pickle.dumps(raised)), copy.copy(raised)):
        assert (type(error), str(error)) == (kind, "must, otherwise, remedy")
        assert (error.rule, error.contribution_id, error.value) == ("KB-X-1", "handbook", 7)
    bare = kind("no declaration", rule="KB-X-2")
    assert (bare.rule, bare.contribution_id, bare.value) == ("KB-X-2", "", None)
    assert str(kind(message="by name", rule="KB-X-3")) == "by name"


def test_a_message_stays_short_and_on_one_line_whatever_the_value_holds() -> None:
    """A refusal may be logged: a value cannot forge a line in it or flood it."""
    error = refused("KB-CON-ID-2", contribution_id="x\nFORGED: " + "y" * 10_000)
    assert "\n" not in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("x" * 80, "'" + "x" * 80 + "'"),
        ("x" * 81, "'" + "x" * 80 + "'…"),
        ("ü\u200b", "'\\xfc\\u200b'"),
        (Chatty("real"), "'real'"),
        (7, "7"),
        (0.5, "0.5"),
        (10**90, "1" + "0" * 79),
        (2**512 - 1, str(2**512 - 1)[:80]),
        (2**512, "<int of 513 bits>"),
    ],
)
def test_a_message_shows_numbers_and_the_first_80_characters_of_a_text(value: Any, shown: str) -> None:
    """In ASCII, and with a sign where something was left out."""
    with pytest.raises(BridgeContractError) as caught:
        resolve_scope(value)
    assert f", exactly, got {shown}: a guess " in str(caught.value)


@pytest.mark.parametrize("secret", [b"hunter2", ["hunter2"], {"password": "hunter2"}])
def test_a_message_does_not_repeat_what_bytes_and_objects_hold(secret: Any) -> None:
    """They may be content, or secrets; the evidence stays on the attribute."""
    with pytest.raises(BridgeContractError) as caught:
        ContextRead(secret)
    assert "hunter2" not in str(caught.value)
    assert f"<{type(secret).__name__}>" in str(caught.value)
    assert caught.value.value is secret


def test_evidence_that_cannot_travel_travels_as_text() -> None:
    """A local function is a likely mistake and cannot be pickled."""
    error = pickle.loads(pickle.dumps(refused("KB-CON-SOURCE-1", source=lambda: None)))
    assert (error.rule, error.value) == ("KB-CON-SOURCE-1", "<function>")


class Trap:
    """A source whose attributes cannot be read."""

    @property
    def read(self) -> Any:
        raise RuntimeError("no")


class AwareTrap:
    """A source that fails when it is asked whether it knows scopes."""

    @property
    def scope_aware(self) -> bool:
        raise RuntimeError("no")

    def read(self, request: ContextRequest) -> ContextRead:
        return ContextRead("")


def test_a_source_whose_attributes_raise_is_refused_like_one_without_them() -> None:
    """Whatever somebody else's property raises, a refusal is what comes out."""
    refused("KB-CON-SOURCE-1", source=Trap())
    refused("KB-CON-SCOPE-2", source=AwareTrap(), scope="tenant")
    assert ContextContribution("x", AwareTrap()).scope is ContextScope.DEPLOYMENT


def test_values_that_lie_about_their_class_are_refused_like_any_other() -> None:
    """The one error comes out, whatever the value would raise."""

    class Liar:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("eq")

        __hash__ = None  # type: ignore[assignment]  # not even that

    refused("KB-CON-LAYER-1", layer=Mock(spec=str))
    refused("KB-CON-LAYER-1", layer=Liar())
    refused("KB-CON-ID-2", contribution_id=Mock(spec=str))
    with pytest.raises(BridgeContractError, match="int of 16610 bits"):
        resolve_scope(10**5000)  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.requirement("KB-CON-LAYER-1")
@pytest.mark.parametrize("junk", [None, 7, "L3", object()])
def test_a_position_on_the_ladder_is_that_of_a_layer(junk: Any) -> None:
    """Anything else is refused like a layer of a declaration."""
    with pytest.raises(BridgeContractError, match=r"^layer ") as caught:
        layer_index(junk)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-LAYER-1", junk)
