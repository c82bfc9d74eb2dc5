"""HTML: what a reader sees, in lines."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.extractors._worker import answer
from symfonic.adapters.knowledge.extractors.html import MAX_ATTRIBUTES, extract_html, links_of
from symfonic.adapters.knowledge.extractors.isolation import IsolatedExtractor
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.extractors.isolation import ExtractionWorker


def sections(page: str) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of every section."""
    return [(part.headings, part.text.strip("\n")) for part in extract_html(page.encode(), name="a.html").sections]


def text(page: str) -> str:
    """The whole text."""
    return "\n".join(part for _, part in sections(page))


@pytest.mark.requirement("EX-HTML-1")
@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p>a  <b>b</b>\n c</p><p>d<br>e</p>", "a b c\n\nd\ne"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("x<script>bad()</script><style>p{}</style><template>t</template><noscript>n</noscript><!-- c -->y", "xy"),
        ("<p hidden>no</p><p style='color:red; display : none'>no</p><p style='visibility:hidden'>no</p>yes", "yes"),
        ("<p style='display:/**/none'>no</p><p style='visibility:collapse'>no</p>yes", "yes"),
        ("<p style='DISPLAY:none!important;display:block'>no</p>yes", "yes"),
        ("<p style='display:none;display:block'>yes</p>", "yes"),
        ("<p style='display:none;display:no-such;color:red'>no</p>yes", "yes"),
        ("<p hidden style='display:block'>yes</p>", "yes"),
        ("<p style='display:nonexistent'>yes</p>", "yes"),
        ("<p style=\"background:url('x;display:none')\">yes</p>", "yes"),
        ("<p style='background:url(x;display:none)'>yes</p>", "yes"),
        ("<p style='--a:f(g(;display:none'>yes</p>", "yes"),
        (
            "<div style='visibility:hidden'>no<b style='visibility:visible'>yes<i style='visibility:hidden'>no</i>!",
            "yes!",
        ),
        ("<div style='visibility:hidden'>no<ul><li>no</li></ul><pre>no</pre><h1>no</h1></div>yes", "yes"),
        ("<svg><title>no</title><text>drawn</text></svg>", "drawn"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n\n  - c"),
        ("<ol><li>a<li><p>b</p></ol>", "1. a\n2. b"),
        ("<li>stray</li>", "- stray"),
        ("<ul><li></li><li>x</ul>y", "- x\n\ny"),
        ("<a>One</a><a>Two</a> <a>Three</a><b>!</b>", "One Two Three!"),
        ("5&nbsp;m &lt; 6&#xD800;", "5\u00a0m < 6\ufffd"),
    ],
)
def test_visible_text_keeps_its_block_structure(page: str, seen: str) -> None:
    """Blocks become lines, white space collapses, what nobody sees is left out."""
    assert text(page) == seen


@pytest.mark.requirement("EX-HTML-1")
def test_a_table_has_one_row_a_line() -> None:
    """Whatever its cells hold; empty rows are left out."""
    page = "<table><caption>T</caption><tr><th>A<th>B<tr><td>1<br>2<td><p>3</p><tr><td> <td></table>"
    assert text(page) == "T\n\n| A | B |\n| 1 2 | 3 |"


def test_a_layout_table_is_read_as_blocks() -> None:
    """A table that holds headings, lists or tables arranges them."""
    page = "<table><tr><td><h2>H</h2><p>a</p></td><td>b<table><tr><td>1<td>2</table></td></tr></table>"
    assert sections(page) == [(("H",), "H\n\na\n\nb\n\n| 1 | 2 |")]


def test_preformatted_text_becomes_a_fence() -> None:
    """Its lines and spaces stay, and no backticks in it can end it."""
    assert text("<pre>\n a\n  b<br>c</pre>z") == "```\n a\n  b\nc\n```\n\nz"
    assert text("<pre>```\nx</pre>") == "````\n```\nx\n````"
    assert text("<pre> </pre>x") == "x"


def test_links_of_menus_within_menus_are_taken_once() -> None:
    """Of every table of contents, or of the first menu where there is none."""
    inner = "<nav epub:type='toc'><a href=b>B</a></nav>"
    outer = f"<nav epub:type='toc'><a href=a>A<table><td><a href=x>X</a></table></a>{inner}</nav>"
    contents = f"<nav><a href=c>C</a></nav>{outer}"
    assert [link[0] for link in links_of(contents, name="a")] == ["a", "b"]
    assert links_of(f"<nav><a href=c>C</a></nav><nav>{inner}</nav>", name="a") == [("b", "B")]
    plain = "<nav><a href=a>A</a><nav><a href=b>B</a></nav></nav><nav><a href=c>C</a></nav><a href=d>D</a>"
    assert links_of(plain, name="a") == [("a", "A"), ("b", "B")]


@pytest.mark.requirement("EX-HOSTILE-1")
@pytest.mark.parametrize("before", ["", "<!-->", "<p a='>' b=\">\">", "<script>a<b</script>", "<!-- <p -->"])
def test_a_tag_has_so_many_attributes_and_no_more(before: str) -> None:
    """Its parser compares each with all before it."""
    attributes = " ".join(f"a{number}='<p >'" for number in range(MAX_ATTRIBUTES))
    assert text(f"{before}<p {attributes}>x") == "x"
    with pytest.raises(ExtractionError) as caught:
        text(f"{before}<p {attributes}/b>x")
    assert (caught.value.code, caught.value.limit) == ("limit", "members")
    assert text(f"<script>{'a <b ' * 2_000}</script><!-- <p {attributes} b -->x") == "x"


@pytest.mark.requirement("EX-HTML-1")
def test_preformatted_text_within_preformatted_text_goes_on() -> None:
    """What stands before and behind the inner one is not lost."""
    assert text("<pre>first<pre>inner</pre>third</pre>z") == "```\nfirst\ninner\nthird\n```\n\nz"
    assert text("<pre>a<div><pre>b</pre></div>c</pre>") == "```\na\n\nb\n\nc\n```"


@pytest.mark.requirement("EX-HTML-2")
def test_headings_nest_and_the_title_stands_in_for_a_missing_h1() -> None:
    """A page with an h1 needs no title above it."""
    body = "<p>x</p><h2>B <i>c</i></h2><p>y</p><h3>D</h3><h2></h2><h2>E</h2>"
    assert sections(f"<title> T\n t </title>{body}") == [
        (("T t",), "x"),
        (("T t", "B c"), "B c\n\ny"),
        (("T t", "B c", "D"), "D"),
        (("T t", "E"), "E"),
    ]
    assert [path for path, _ in sections(f"<title>T</title><h1>A</h1>{body}")][:2] == [("A",), ("A", "B c")]


@pytest.mark.parametrize("page", ["", "<html>", "<script>x</script>", "<p>&nbsp;</p>"])
def test_a_page_that_shows_nothing_is_empty(page: str) -> None:
    """Markup alone is no text."""
    with pytest.raises(ExtractionError) as caught:
        extract_html(b" " + page.encode(), name="a.html")
    assert caught.value.code == "empty"


def test_depth_is_no_matter_to_the_walk() -> None:
    """A thousand and more nested elements need no recursion."""
    assert text("<div><table><tr><td>" * 2000 + "deep") == "| deep |"


def test_pages_are_read_in_the_worker(worker: ExtractionWorker) -> None:
    """Same result as here."""
    extractor = IsolatedExtractor("html", worker, version="3", libraries=("selectolax",))
    assert extractor.extract(b"<h1>A</h1>b", name="a.html") == extract_html(b"<h1>A</h1>b", name="a.html")
    assert extractor.version.startswith("3 selectolax ")
    with pytest.raises(ExtractionError, match="no text") as caught:
        extractor.extract(b"<p>", name="a.html")
    assert caught.value.code == "empty"


@pytest.mark.requirement("EX-OPT-1")
def test_a_missing_library_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child reports it; the parent names the extra."""
    imported = builtins.__import__

    def without_selectolax(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("selectolax"):
            raise ModuleNotFoundError(name)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_selectolax)
    assert answer("html", b"<p>x", "a.html")[0]["code"] == "unavailable"
