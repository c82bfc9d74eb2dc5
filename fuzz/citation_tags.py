"""Fuzz target: the filter of layer tags against its plain machine.

An input is a digit for the vocabulary, and text in which ``|`` is where one chunk ends and the next begins.
"""

from __future__ import annotations

from plain_tags import PlainTagMachine, lower, without_tags

from symfonic.capabilities.knowledge import DEFAULT_LAYER_NAMES, CitationTagFilter

INSTRUMENTED = (
    "symfonic.capabilities.knowledge.citations",
    "symfonic.capabilities.knowledge._layer_names",
    "symfonic.capabilities.knowledge._streaming",
)
TOKENS = (
    *(f"[{name}]".encode() for name in DEFAULT_LAYER_NAMES),
    *(
        b"[sem",
        b"antic]",
        b"[work",
        b"ing]",
        b"[ab]",
        b"[a b",
        b"b]",
        b"\t",
        b" " * 64,
        b"|",
        "ſ".encode(),
        "\u212a".encode(),
    ),
)
VOCABULARIES = (
    DEFAULT_LAYER_NAMES,
    ("ab", "b"),
    ("a b", "b ", "é"),
    ("ab", *(f"name {number}" for number in range(60))),
    ("x" * 70, "xy"),
)
MACHINES = tuple(PlainTagMachine(names) for names in VOCABULARIES)
FILTERS = tuple((CitationTagFilter(names), CitationTagFilter(names)) for names in VOCABULARIES)


def check(data: bytes) -> None:
    """Feed both the chunks; after each of them they have shown the same, and parts are the output.

    Raises:
        AssertionError: They differ, or the output breaks what is promised of it.
    """
    chosen = (data[0] - ord("0") if data else 0) % len(VOCABULARIES)
    chunks = data[1:].decode("utf-8", "replace").split("|")
    names, machine, (tested, parted) = VOCABULARIES[chosen], MACHINES[chosen], FILTERS[chosen]
    output = ""
    for chunk in chunks:
        shown = tested.feed(chunk)
        assert shown == machine.feed(chunk)
        assert shown == "".join(parted._feed_parts(chunk))
        assert len(machine.held) <= machine.bound
        output += shown
    forced = machine.was_forced
    rest = tested.flush()
    assert rest == machine.flush()
    assert rest == "".join(parted._flush_parts())
    output += rest
    text = "".join(chunks)
    assert tested.feed(text) + tested.flush() == output
    assert not any(tag in lower(output) for tag in machine.tags)
    if not forced:
        assert tested.feed(output) + tested.flush() == output
        if not any(" " in name for name in names):
            assert output == without_tags(text, names)
