"""Charts of evaluations: every number is written, nothing leaves the picture, both grounds are readable."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from symfonic.adapters.knowledge.pictures import png
from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.composition.knowledge import (
    Estimate,
    Evaluation,
    InputError,
    Judgements,
    MissingExtraError,
    Settings,
    evaluate_collection,
    evaluation_chart,
    write_chart,
)

if TYPE_CHECKING:
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Of two documents and two queries, of which one finds nothing."""
    corpus = tmp_path_factory.mktemp("chart") / "corpus.jsonl"
    corpus.write_text(
        "".join(json.dumps({"_id": name, "text": f"The {name} walks."}) + "\n" for name in ("yak", "gnu"))
    )
    judged = Judgements(queries={"1": "yak", "2": "nothing"}, grades={"1": {"yak": 1}, "2": {"gnu": 1}})
    return evaluate_collection(corpus, judged, resamples=100)


@pytest.mark.requirement("KB-EVAL-INPUT-4")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"evaluation": None}, "what is drawn is an Evaluation; this one is a NoneType"),
        ({"differences": 5}, "differences are a mapping of measures to an Estimate each; int was given"),
        ({"differences": {"ndcg@5": 0.5}}, "differences are a mapping of measures to an Estimate each; dict was given"),
        ({"differences": {5: Estimate(value=0.5, interval=None)}}, "differences are a mapping"),
        ({"compared": None}, "the name of another run is a text; this one is a NoneType"),
        ({"path": None}, "a file is named by a path; NoneType is none"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    wrong: dict[str, Any], message: str, evaluation: Evaluation, tmp_path: Path
) -> None:
    """Before a file is written."""
    path = tmp_path / "chart.svg"
    with pytest.raises(InputError, match=message):
        write_chart(**{"path": path, "evaluation": evaluation, **wrong})
    assert not path.exists()
    with pytest.raises(InputError, match="a title is a text; this one is a int"):
        evaluation_chart(evaluation, title=5)  # type: ignore[arg-type]  # the case


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_names_that_no_picture_may_hold_are_drawn_without_it(evaluation: Evaluation, tmp_path: Path) -> None:
    """Of measures in a baseline, and in a title; the picture can be read and written."""
    odd = {"a\x07\ud800": Estimate(value=0.5, interval=None)}
    texts = [found.text for found in ET.fromstring(evaluation_chart(evaluation, title="\x00", differences=odd)).iter()]
    assert "a\ufffd\ufffd" in texts
    assert "\ufffd" in texts
    write_chart(tmp_path / "odd.svg", evaluation, differences=odd)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_chart_says_every_number(evaluation: Evaluation) -> None:
    """Measures, ceilings and outcomes by name; the title is text and no markup; equal input, equal bytes."""
    chart = evaluation_chart(evaluation, title="<Ours & theirs>")
    texts = [element.text or "" for element in ET.fromstring(chart).iter(f"{SVG}text")]
    assert texts[:2] == [
        "<Ours & theirs>",
        "2 queries, 2 documents, 2 passages; whiskers: 95 % bootstrap interval",
    ]
    assert texts[2] == "found by words alone"
    for name in (
        *evaluation.metrics,
        "store, first 5",
        "prompt",
        "admitted",
        "not-retrieved",
    ):
        assert name in texts
    assert "0.500  [0.000, 1.000]" in texts
    assert texts.count("50.0 %") == 2
    assert evaluation_chart(evaluation, title="<Ours & theirs>") == chart
    assert not any(text.startswith("without ") for text in texts)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_ceiling_that_holds_something_back_is_drawn(evaluation: Evaluation) -> None:
    """The others are left out, as in the table."""
    boundary = evaluation.boundary
    lifted = {**boundary.lifted, "limit": Estimate(value=1.0, interval=(1.0, 1.0))}
    chart = evaluation_chart(replace(evaluation, boundary=replace(boundary, lifted=lifted)))
    assert re.findall("without [a-z_]+", chart) == ["without limit"]


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_changes_are_drawn_beside_their_run(evaluation: Evaluation) -> None:
    """To the left of the middle where they are losses, with their intervals and what was compared."""
    changes = {
        "worse": Estimate(value=-0.5, interval=(-1.0, -0.25)),
        "better": Estimate(value=1.0, interval=(-0.0, 1.0)),
        "single": Estimate(value=-0.0, interval=None),
    }
    named = replace(evaluation, embedder="m" * 200 + "\x1b")
    chart = evaluation_chart(named, differences=changes, compared="old\x1b.tsv" + "x" * 200)
    texts = [element.text or "" for element in ET.fromstring(chart).iter(f"{SVG}text")]
    for text in (
        f"found by words and {'m' * 71}…",
        f"Change against old\ufffd.tsv{'x' * 63}…",
        "-0.500  [-1.000, -0.250]",
        "+1.000  [+0.000, +1.000]",
        "+0.000",
    ):
        assert text in texts
    assert '<rect class="measure" x="300" ' in chart
    inside(chart)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_nothing_reaches_beyond_the_picture(evaluation: Evaluation) -> None:
    """Bars, and texts by a generous width of 8 units a character."""
    inside(evaluation_chart(evaluation))


def inside(chart: str) -> None:
    """Every text and bar stands inside the picture."""
    root = ET.fromstring(chart)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter(f"{SVG}text"):
        length = 8 * len(element.text or "")
        start = float(element.attrib["x"]) - {"end": length, "middle": length / 2}.get(
            element.attrib.get("text-anchor", ""), 0
        )
        assert start >= 0
        assert start + length <= width
        assert float(element.attrib["y"]) <= height
    for element in root.iter(f"{SVG}rect"):
        assert float(element.attrib.get("x", 0)) + float(element.attrib["width"]) <= width


def contrast(left: str, right: str) -> float:
    """Contrast of two colours by WCAG 2.2."""

    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(left), light(right)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_both_grounds_are_readable(evaluation: Evaluation) -> None:
    """Text has a contrast of 4.5 at least, bars of 3, on light and on dark."""
    style = evaluation_chart(evaluation).partition("<style>")[2].partition("</style>")[0]
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    for rules in (light, dark):
        fills = dict(re.findall(r"(text|\.\w+) \{[^}]*?(?<!-)fill: (#[0-9a-f]{6})", rules))
        page = fills.pop(".page")
        assert set(fills) == {"text", ".note", ".measure", ".kept", ".gone", ".outside"}
        for name, colour in fills.items():
            assert contrast(page, colour) >= (4.5 if name in {"text", ".note"} else 3), (name, colour)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_chart_is_written_by_its_ending(evaluation: Evaluation, tmp_path: Path) -> None:
    """SVG or PNG, in place of what was there."""
    for name, head in (("a.svg", b"<svg "), ("b.PNG", b"\x89PNG\r\n\x1a\n")):
        (tmp_path / name).write_text("old")
        write_chart(tmp_path / name, evaluation)
        assert (tmp_path / name).read_bytes().startswith(head)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_chart_that_cannot_be_written_is_told(
    evaluation: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another ending, no folder, a folder in its place; no library for PNG, or no fonts."""
    (tmp_path / "folder.svg").mkdir()
    for name, message in (
        ("a.gif", "a chart is an .svg or a .png"),
        ("a\0.svg", "without NUL"),
        ("none/a.svg", "in a folder that exists"),
        ("folder.svg", "could not be written"),
    ):
        with pytest.raises(InputError, match=message):
            write_chart(tmp_path / name, evaluation)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[eval\]"):
        write_chart(tmp_path / "a.png", evaluation)

    def fontless(svg: str) -> bytes:
        raise AdapterError("no fonts")

    monkeypatch.setattr(png, "png_of", fontless)
    with pytest.raises(InputError, match="no fonts"):
        write_chart(tmp_path / "a.png", evaluation)


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_what_no_ceiling_holds_back_stands_last_and_apart(tmp_path: Path) -> None:
    """A document that is not stored is drawn like one that was not found: behind what a ceiling dropped."""
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "a", "text": "Gnu walk."}\n{"_id": "b", "text": "Gnu run fast."}\n')
    judged = Judgements(queries={"q": "gnu"}, grades={"q": {"a": 1, "b": 1, "gone": 1}})
    chart = evaluation_chart(evaluate_collection(corpus, judged, settings=Settings(limit=1), resamples=100))
    texts = [element.text for element in ET.fromstring(chart).iter(f"{SVG}text")]
    assert [text for text in texts if text in {"admitted", "over-limit", "not-stored"}] == [
        "admitted",
        "over-limit",
        "not-stored",
    ]
    assert chart.count('class="outside"') == 2
