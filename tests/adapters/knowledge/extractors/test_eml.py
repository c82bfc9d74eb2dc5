"""Mail messages: what a reader sees of them, and what hostile ones cost."""

from __future__ import annotations

import base64
import time

import pytest

from symfonic.adapters.knowledge.extractors.eml import MAX_DEPTH, MAX_FIELD_BYTES, MAX_PARTS, extract_eml
from symfonic.adapters.knowledge.ports import ExtractionError


def sections(message: str | bytes) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of every section."""
    data = message.encode() if isinstance(message, str) else message
    return [(part.headings, part.text.strip("\n")) for part in extract_eml(data, name="a.eml").sections]


def text(message: str | bytes) -> str:
    """The whole text."""
    return "\n\n".join(part for _, part in sections(message))


def refusal(message: str | bytes) -> tuple[str, str]:
    """Code and limit with which a message is refused."""
    with pytest.raises(ExtractionError, match=r"^a\.eml ") as caught:
        sections(message)
    return caught.value.code, caught.value.limit


def multipart(kind: str, *parts: str, boundary: str = "b") -> str:
    """The fields and the body of a part that holds others."""
    body = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={boundary}\n\npreamble\n{body}--{boundary}--\nepilogue\n"


def typed(kind: str, content: str, more: str = "") -> str:
    """The fields and the body of a part of a type."""
    return f"Content-Type: {kind}\n{more}\n{content}"


@pytest.mark.requirement("EX-EML-1")
def test_a_message_is_its_subject_its_fields_and_its_text() -> None:
    """On a line each, in one order, whatever theirs; what programs tell each other is left out."""
    message = (
        "Received: from x by y\nDate: Mon, 2 Nov 2026 09:00:00 +0000\nTo: b@x.example,\n c@x.example\nCc: d@x.example\n"
        "Subject: Leave in\n  spring\nFrom: A <a@x.example>\nX-Spam: no\n\nHello,\n\n> quoted\n"
    )
    assert sections(message) == [
        (
            ("Leave in spring",),
            (
                "Leave in spring\n\nFrom: A <a@x.example>\nTo: b@x.example, c@x.example\nCc: d@x.example\n"
                "Date: Mon, 2 Nov 2026 09:00:00 +0000\n\nHello,\n\n> quoted"
            ),
        )
    ]
    assert sections("\ufeff\r\nFrom: a\r\n\r\nb\r\nc\r\n") == [((), "From: a\n\nb\nc")]


@pytest.mark.requirement("EX-EML-2")
@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("=?utf-8?q?Gr=C3=BC=C3=9Fe_an?= =?UTF-8?B?IGRpY2g=?=", "Grüße an dich"),
        ("=?utf-8?q?=E6=97?=\n =?utf-8?q?=A5?= =?iso-8859-1?q?=E9?= x", "日é x"),
        ("a =?koi8-r?b?8NLJ18XU?= b", "a Привет b"),
        ("=?utf-8*en?q?a?=", "a"),
        ("=?x-unknown?q?=C3=A9?=", "é"),
        ("=?utf-8?q?=ff=fe=ff?=", "\ufffd\ufffd\ufffd"),
        ("=?utf-8?b?!?= =?utf-8?z?x?= =?", "=?utf-8?b?!?= =?utf-8?z?x?= =?"),
        ("a=?utf-8?q?=0AFrom:_forged?=", "a From: forged"),
        ("Größe", "Größe"),
    ],
)
def test_fields_are_decoded(raw: str, shown: str) -> None:
    """Encoded words of any charset, bytes without one, and none of them makes a line of its own."""
    assert text(f"Subject: {raw}\n\n") == shown


@pytest.mark.requirement("EX-EML-2")
@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("Content-Type: text/plain; charset=koi8-r", "Привет".encode("koi8-r")),
        ("Content-Type: text/plain; charset=us-ascii", "Привет".encode()),
        ("Content-Type: text/plain; charset=x-unknown", "Привет".encode()),
        ("Content-Type: text/plain; charset=big5", "Привет".encode()),
        (
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
            base64.b64encode("Привет".encode()),
        ),
        (
            "Content-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: quoted-printable",
            b"=CF=F0=E8=\n=E2=E5=F2",
        ),
        (
            "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64",
            base64.b64encode("Привет".encode("utf-16")),
        ),
        ("X: y", "Привет".encode()),
    ],
)
def test_text_is_decoded_as_declared_if_it_can_be(fields: str, body: bytes) -> None:
    """Else as any other text."""
    assert text(f"{fields}\n\n".encode() + body) == "Привет"


@pytest.mark.requirement("EX-EML-2")
def test_text_in_no_encoding_costs_the_message() -> None:
    """A hole nobody sees would be worse."""
    assert refusal(b"Subject: x\n\n\x81\x01")[0] == "binary"
    assert refusal(b"Subject: x\n\na\0b")[0] == "binary"


LONG = "words and words and words"


@pytest.mark.requirement("EX-EML-3")
@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        ((typed("text/plain", LONG), typed("text/html", f"<p>{LONG}!</p>")), f"{LONG}!"),
        ((typed("text/html", f"<p>{LONG}!</p>"), typed("text/plain", LONG)), f"{LONG}!"),
        ((typed("text/plain", LONG), typed("text/html", "<p> </p>")), LONG),
        ((typed("text/plain", " "), typed("text/html", "<p>page</p>")), "page"),
        ((typed("text/plain", "No."), typed("text/html", f"<p>{LONG} {LONG}")), f"{LONG} {LONG}"),
        (
            (
                typed("text/plain", "No."),
                multipart("related", typed("text/html", f"<p>{LONG} {LONG}"), typed("image/png", "123"), boundary="c"),
            ),
            f"{LONG} {LONG}\n\nAttachment: unnamed (image/png, 3 bytes)",
        ),
        (
            (
                typed("text/plain", LONG),
                multipart("mixed", typed("text/html", LONG), typed("image/png", "1"), boundary="c"),
                typed("text/calendar; name=a.ics", "BEGIN"),
            ),
            f"{LONG}\n\nAttachment: unnamed (image/png, 1 byte)\n\nAttachment: a.ics (text/calendar, 5 bytes)",
        ),
        ((typed("text/enriched", "a"), typed("text/markdown", "b")), "b"),
    ],
)
def test_one_alternative_is_read(parts: tuple[str, ...], shown: str) -> None:
    """The page, unless it shows nothing; attachments are named wherever they are."""
    assert text(multipart("alternative", *parts)) == shown


@pytest.mark.requirement("EX-EML-3")
def test_attachments_are_named_where_they_stand() -> None:
    """By name, type and size, and not read."""
    message = multipart(
        "mixed",
        typed("text/plain", "before"),
        typed(
            "application/pdf",
            "JVBERi0=",
            "Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=r.pdf\n",
        ),
        typed("text/plain", "log line", "Content-Disposition: attachment; filename*=utf-8''%C3%BC.log\n"),
        typed('image/png; name="=?utf-8?q?=C3=BC=0Ab?="', "x" * 1234),
        typed("text/x-patch", "+ shown", "Content-Disposition: inline; filename=a.patch\n"),
    )
    assert text(message) == (
        "before\n\nAttachment: r.pdf (application/pdf, 5 bytes)\n\nAttachment: ü.log (text/plain, 8 bytes)\n\n"
        "Attachment: ü b (image/png, 1,234 bytes)\n\n+ shown"
    )


@pytest.mark.requirement("EX-EML-3")
@pytest.mark.parametrize("kind", ["image/a\x00\x1b[2J\x0bb", "image/a\n b", "image/" + "a" * 500])
def test_the_line_of_an_attachment_is_one_whatever_it_says_of_its_type(kind: str) -> None:
    """Nothing in it steers a terminal or begins another line."""
    message = multipart("mixed", typed("text/plain", "before"), typed(kind, "12"))
    line = text(message).removeprefix("before\n\n")
    assert line.startswith("Attachment: unnamed (")
    assert line.isprintable()
    assert len(line) < 250


@pytest.mark.requirement("EX-EML-4")
def test_messages_within_follow_below_the_headings_of_their_holder() -> None:
    """What comes after them belongs to the holder again; headings of pages come below the subject."""
    inner = "Subject: Inner\nFrom: i\nContent-Type: text/html\n\n<h2>Part</h2>x"
    message = "Subject: Outer\n" + multipart(
        "mixed", typed("text/plain", "see below"), typed("message/rfc822", inner), typed("image/png", "12")
    )
    assert sections(message) == [
        (("Outer",), "Outer\n\nsee below"),
        (("Outer", "Inner"), "Inner\n\nFrom: i"),
        (("Outer", "Inner", "Part"), "Part\n\nx"),
        (("Outer",), "Attachment: unnamed (image/png, 2 bytes)"),
    ]


@pytest.mark.requirement("EX-EML-4")
def test_a_message_within_may_be_packed() -> None:
    """It must not be, and some programs do it."""
    inner = base64.b64encode(b"Subject: Inner\n\nx").decode()
    message = typed("message/rfc822", inner, "Content-Transfer-Encoding: base64\n")
    assert sections(f"Subject: Outer\n{message}") == [(("Outer",), "Outer"), (("Outer", "Inner"), "Inner\n\nx")]


def test_a_notice_of_delivery_shows_its_fields() -> None:
    """It says why a message did not arrive."""
    notice = typed("message/delivery-status", "Reporting-MTA: dns; x\n\nStatus: 5.1.1\nAction: failed\n")
    assert text(multipart("report", typed("text/plain", "sorry"), notice)) == (
        "sorry\n\nReporting-MTA: dns; x\n\nStatus: 5.1.1\nAction: failed"
    )


@pytest.mark.requirement("EX-EML-5")
@pytest.mark.parametrize(
    "fields",
    [
        "Content-Type: multipart/encrypted; boundary=b; protocol=x",
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data",
    ],
)
def test_an_encrypted_message_is_refused(fields: str) -> None:
    """Within another it is named."""
    locked = f"Subject: Secret\n{fields}\n\n--b\nContent-Type: application/octet-stream\n\nabc\n--b--\n"
    assert refusal(locked) == ("encrypted", "")
    shown = sections("Subject: O\n" + multipart("mixed", typed("message/rfc822", locked), boundary="o"))
    assert [path for path, _ in shown] == [("O",), ("O", "Secret")]
    assert "Attachment: unnamed (" in shown[1][1]


@pytest.mark.requirement("EX-EML-5")
@pytest.mark.parametrize(
    "message",
    [
        "Content-Type: multipart/mixed\n\n--b\n\nwords\n",
        "Content-Type: multipart/mixed; boundary=b\n\n-- b\nwords\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwords",
        "Content-Type: text/plain; charset\n\nwords",
        "Content-Type: \n\nwords",
        "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nd29yZHM",
        "no fields\nwords\n",
    ],
)
def test_broken_structure_is_read_as_text(message: str) -> None:
    """Nothing of it is lost."""
    assert "words" in text(message)


@pytest.mark.requirement("EX-EML-5")
def test_depth_parts_and_fields_are_limited() -> None:
    """Each limit has a name, and the parser's own never shows."""
    for depth in (MAX_DEPTH + 1, 2_000):
        nested = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(depth))
        assert refusal(nested + "\nx") == ("limit", "depth")
    assert refusal("Content-Type: message/rfc822\n\n" * 2_000) == ("limit", "depth")
    many = multipart("mixed", *["\nx"] * MAX_PARTS)
    assert refusal(many) == ("limit", "members")
    field = "Content-Type: text/plain" + ";" * MAX_FIELD_BYTES
    assert refusal(f"{field}\n\nx") == ("limit", "bytes")
    assert refusal("Content-Type: text/plain" + ";\n " * MAX_FIELD_BYTES + "\n\nx") == ("limit", "bytes")
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(MAX_DEPTH))
    assert text(deep + "\nx") == "x"


@pytest.mark.requirement("EX-EML-5")
@pytest.mark.parametrize(
    "message",
    [
        "".join(f"X-{number}: y\n" for number in range(30_000)) + "\nx",
        "Subject: " + "=?utf-8?q?a?= " * 30_000 + "\n\nx",
        "Subject: " + "=?" * 500_000 + "\n\nx",
        "To: " + "a@x.example, " * 30_000 + "\n\nx",
        "To: " + "(" * 1_000_000 + "\n\nx",
        "Subject: x\n" + "To: y\n" * 30_000 + "\nx",
        "\n" + "--" * 500_000,
    ],
    ids=["flood", "words", "almost", "addresses", "comments", "fields", "dashes"],
)
def test_time_grows_with_the_message_only(message: str) -> None:
    """Around a million bytes of anything."""
    start = time.process_time()
    assert text(message)
    assert time.process_time() - start < 4


@pytest.mark.requirement("EX-EML-5")
@pytest.mark.parametrize(
    "field",
    [
        "text/plain; charset*99999999999999999999999999=x",
        "text/plain; charset*0*=utf-8'x; charset*1=y",
        "text/plain; charset*=\xff'\xfe'%ff",
        "multipart/mixed; boundary*0=a; boundary*1*=%",
        "text/plain; charset*" + "9" * 4000 + "=x",
        "/",
        ";;;;",
        'text/plain; charset="\udc80',
    ],
)
def test_a_malformed_field_raises_nothing_of_the_library(field: str) -> None:
    """Either the text comes out, or the message is damaged."""
    message = f"Content-Type: {field}\nContent-Disposition: {field}\n\nx".encode("utf-8", "surrogateescape")
    try:
        outcome = "text" if text(message) else ""
    except ExtractionError as error:
        outcome = error.code
    assert outcome in {"text", "damaged"}
