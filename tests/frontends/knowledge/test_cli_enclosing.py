"""``--attach``, ``--document`` and ``--documents``: what the prompt shows whole, and what is said of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.testing.knowledge import ScriptedChatServer

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command


REFUSED = (
    "Left out: attachment _red_x.bin~8d92839103b7: files of this kind cannot be read (unsupported); this format cannot "
    "be read, so nothing of it is used; convert it to one of: .md "
)


@pytest.fixture
def standing(tmp_path: Path) -> Path:
    """A folder of documents, and files to attach beside it."""
    folder = tmp_path / "standing"
    folder.mkdir()
    (folder / "rules.md").write_text("Be kind.\n")
    (tmp_path / "note.txt").write_text("five days left")
    (tmp_path / "[red]x.bin").write_bytes(b"\0")
    return folder


def words(standing: Path) -> list[str]:
    """Options that name all of it, and a document that is not there."""
    files = [str(standing.parent / "note.txt"), str(standing.parent / "[red]x.bin")]
    return [
        *("--attach", files[0], "--attach", files[1], "--documents", str(standing)),
        *("--document", "rules.md", "--document", "gone.md"),
    ]


@pytest.mark.requirement("CLI-ENC-1")
def test_prompt_shows_them_whole_and_tells_what_is_left_out(filled: Command, standing: Path) -> None:
    """The prompt holds both blocks; standard error says of each other one why."""
    told = filled("prompt", "leave", *words(standing))
    assert told.code == 0
    assert "\nDOCUMENT SOURCE [rules.md ·" in told.text
    assert "\nATTACHMENT SOURCE [note.txt ·" in told.text
    assert "\n| five days left\n" in told.text
    missing = "\nLeft out: document gone.md: the store has no document of this name (missing)\n"
    assert told.err.startswith(missing + REFUSED)
    assert told.err.count("\n") == 3
    assert "convert it" not in told.text


@pytest.mark.requirement("CLI-ENC-2")
@pytest.mark.parametrize("command", ["prompt", "explain"])
def test_json_lists_all_of_them(filled: Command, standing: Path, command: str) -> None:
    """Each has its contribution, label, and either a citation or code, reason and numbers."""
    told = filled(command, "leave", *words(standing), "--json")
    assert (told.code, told.err) == (0, "")
    rows = told.json["documents"]
    assert [(row["contribution_id"], row["label"], row["code"]) for row in rows] == [
        ("documents", "rules.md", None),
        ("documents", "gone.md", "missing"),
        ("attachments", "note.txt", None),
        ("attachments", "_red_x.bin~8d92839103b7", "unsupported"),
    ]
    assert rows[3]["detail"].startswith("this format cannot be read, so nothing of it is used; convert it to one of: ")
    assert rows[0]["citation"].startswith("rules.md ·")
    assert {**rows[0], "citation": ""} == {
        "contribution_id": "documents",
        "label": "rules.md",
        "citation": "",
        "characters": 8,
        "detail": None,
        "hidden": {},
        "position": 1,
        "code": None,
        "reason": None,
        "actual": None,
        "ceiling": None,
    }


@pytest.mark.requirement("CLI-ENC-2")
def test_explain_shows_each_with_its_outcome(filled: Command, standing: Path) -> None:
    """One line each, with the tag it is cited by or the reason why it is left out."""
    told = filled("explain", "leave", *words(standing), env={"COLUMNS": "200"})
    lines = [line.split() for line in told.text.split("\n")]
    assert ["document", "2", "gone.md", "missing"] in [line[:4] for line in lines]
    assert ["document", "1", "rules.md", "admitted", "cited", "with", "tag"] in [line[:7] for line in lines]
    assert ["attachment", "1", "note.txt", "admitted", "cited", "with", "tag"] in [line[:7] for line in lines]
    assert ["attachment", "2", "_red_x.bin~8d92839103b7", "unsupported"] in [line[:4] for line in lines]


@pytest.mark.requirement("CO-ENC-11")
def test_what_an_attachment_hides_is_told(filled: Command, tmp_path: Path) -> None:
    """Beside the prompt, in the table, and as data; two of one name are told apart."""
    (tmp_path / "other").mkdir()
    (tmp_path / "page.html").write_text("<p>seen<p hidden>text")
    (tmp_path / "other" / "page.html").write_text("")
    files = ["--attach", str(tmp_path / "other" / "page.html"), "--attach", str(tmp_path / "page.html")]
    told = filled("prompt", "leave", *files)
    assert told.err == (
        "\nLeft out: attachment page.html (number 1): the file has no bytes (empty)\n"
        "Note: attachment page.html (number 2): 4 hidden characters left out (4 hidden)\n"
    )
    shown = filled("explain", "leave", *files, env={"COLUMNS": "200"})
    assert "; 4 hidden characters left out (4 hidden)" in shown.text
    assert "max_attachment_bytes 10,485,760 · max_attachment_chars 20,000" in " ".join(shown.text.split())
    assert "max_document_chars" not in shown.text
    alone = filled("explain", "leave", *files[:2], env={"COLUMNS": "200"})
    assert "the file has no bytes" in alone.text
    assert "Nothing to repair" not in alone.text
    rows = filled("explain", "leave", *files, "--json").json["documents"]
    assert [(row["position"], row["hidden"]) for row in rows] == [(1, {}), (2, {"hidden": 4})]


@pytest.mark.requirement("CLI-ENC-1")
def test_answer_sends_them_and_tells_what_is_left_out(filled: Command, standing: Path) -> None:
    """A model gets the text of the file and may cite it; the rest is told behind the report."""
    with ScriptedChatServer("Five days left. SOURCE [note.txt]") as server:
        asked = ("--model", "m", "--base-url", server.base_url, *words(standing))
        told = filled("answer", "zebra", *asked)
    assert (told.code, told.text) == (0, "Five days left. SOURCE [note.txt]")
    assert "| five days left" in server.requests[0].body["messages"][0]["content"]
    assert told.err.count(" cited ") == 1
    missing = "Left out: document gone.md: the store has no document of this name (missing)\n"
    assert missing + REFUSED in told.err
    assert "convert it" not in server.requests[0].body["messages"][0]["content"]


@pytest.mark.requirement("CLI-ENC-1")
def test_a_file_grounds_a_question_that_nothing_is_found_for(filled: Command, standing: Path) -> None:
    """With an attachment the exit code is 0 where no passage is found; with one that cannot be read it is 3."""
    assert filled("prompt", "zebra", "--attach", str(standing.parent / "note.txt")).code == 0
    left_out = filled("prompt", "zebra", "--attach", str(standing.parent / "[red]x.bin"))
    assert (left_out.code, left_out.err.count("Nothing admitted"), left_out.err.count("Left out")) == (3, 1, 1)


@pytest.mark.requirement("CLI-ENC-3")
@pytest.mark.parametrize("command", ["prompt", "explain", "answer"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--attach", "nothing.txt"], "could not be read (No such file or directory) and nothing was asked"),
        (["--attach", "/dev/zero"], "is a folder, a device or a pipe and nothing was asked"),
        (["--document", "rules.md"], "a document is named in a folder; none is named and nothing was asked"),
        (["--documents", ".", "--document", "a", "--document", "a"], "a document is named once; a is named twice and"),
        (["--documents", ".", "--document", " "], "this name shows nothing and nothing was asked; leave it out"),
        (["--documents", "."], "a folder of documents is asked for some of them; none is named"),
        (["--documents", "nowhere", "--document", "a"], "documents are read from a folder; there is none at 'nowhere'"),
    ],
)
def test_what_is_not_there_is_wrong_use(run: Command, command: str, given: list[str], message: str) -> None:
    """Exit 2 before a store is looked for."""
    told = run(command, "leave", *given)
    assert (told.code, message in told.err, told.out) == (2, True, b"")
    assert not run.store.exists()


@pytest.mark.requirement("CLI-ENC-3")
def test_a_file_over_the_ceiling_is_wrong_use(filled: Command, tmp_path: Path) -> None:
    """It is refused by its size, before it is read."""
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(10 * 2**20 + 1)
    told = filled("prompt", "leave", "--attach", str(tmp_path / "big.txt"))
    assert told.code == 2
    assert "an attachment has at most 10,485,760 bytes; " in told.err
    assert "has 10,485,761 and nothing was asked" in told.err


@pytest.mark.requirement("CLI-ENC-4")
def test_what_a_store_says_of_a_document_is_told(filled: Command, standing: Path) -> None:
    """The rule, what came of it and what to do, as the store words it, beside the reason that stays as it is."""
    (standing / "latin.md").write_bytes(b"caf\xe9")
    told = filled("prompt", "leave", "--documents", str(standing), "--document", "latin.md")
    assert told.err.endswith(
        "Left out: document latin.md: the store failed: StoreError (store-failed); a document is UTF-8 text; "
        "'latin.md' is not, at byte 3, and nothing of it was used; save it as UTF-8, or attach it as a file\n"
    )
    asked = ("explain", "leave", "--documents", str(standing), "--document", "latin.md")
    table = filled(*asked, env={"COLUMNS": "300"})
    assert "the store failed: StoreError; a document is UTF-8 text; 'latin.md' is not, at byte 3" in table.text


@pytest.mark.requirement("CLI-ENC-5")
@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("--max-document-chars", "over-document"),
        ("--max-total-document-chars", "over-total"),
        ("--max-attachments", "over-count"),
        ("--max-attachment-chars", "over-document"),
        ("--max-total-attachment-chars", "over-total"),
    ],
)
@pytest.mark.parametrize("command", ["prompt", "explain"])
def test_every_ceiling_has_an_option_and_its_reason_names_it(
    filled: Command, standing: Path, command: str, option: str, code: str
) -> None:
    """What it drops is told with the setting and the option that raise it; a word that is no ceiling is wrong use."""
    asked = words(standing)[:2] + words(standing)[4:8]
    rows = filled(command, "leave", *asked, option, "0", "--json").json["documents"]
    dropped = [row for row in rows if row["code"] is not None]
    assert [row["code"] for row in dropped] == [code]
    name = option.removeprefix("--").replace("-", "_")
    assert dropped[0]["detail"] == f"the setting {name} raises that ceiling, on the command line {option}"
    refused = filled(command, "leave", option, "-1")
    assert (refused.code, option in refused.err) == (2, True)


@pytest.mark.requirement("CLI-ENC-5")
def test_a_file_over_the_bytes_of_the_option_is_wrong_use(filled: Command, standing: Path) -> None:
    """It is refused before it is read, with the ceiling by name; one byte more lets it through."""
    asked = ("prompt", "leave", "--attach", str(standing.parent / "note.txt"), "--max-attachment-bytes")
    refused = filled(*asked, "13")
    assert (refused.code, "an attachment has at most 13 bytes; " in refused.err) == (2, True)
    assert "max_attachment_bytes" in refused.err
    assert "| five days left" in filled(*asked, "14").text


@pytest.mark.requirement("CLI-ENC-6")
def test_settings_pin_documents_for_every_prompt(filled: Command, standing: Path) -> None:
    """They stay those of the settings' folder, whatever folder an option names for others."""
    (standing / "more.md").write_text("Be brief.")
    settings = standing.parent / "s.toml"
    settings.write_text('[documents]\ndocument_folder = "standing"\ndocument_names = ["rules.md", "gone.md"]\n')
    pinned = filled("prompt", "leave", "--settings", str(settings))
    assert "\nDOCUMENT SOURCE [rules.md ·" in pinned.text
    assert "gone.md: the store has no document of this name (missing); it was looked for in " in pinned.err
    assert pinned.err.endswith(f"{standing}\n")
    named = filled("prompt", "leave", "--settings", str(settings), "--document", "more.md")
    assert named.text.index("| Be kind.") < named.text.index("| Be brief.")
    elsewhere = standing.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "rules.md").write_text("Be quick.")
    asked = ("prompt", "leave", "--settings", str(settings), "--documents", str(elsewhere))
    both = filled(*asked, "--document", "rules.md")
    assert both.text.index("| Be kind.") < both.text.index("| Be quick.")
    assert filled(*asked).code == 2
    settings.write_text('[documents]\ndocument_names = ["rules.md"]\n')
    assert "| Be quick." in filled(*asked).text


@pytest.mark.requirement("CLI-ENC-7")
@pytest.mark.parametrize("command", ["prompt", "explain", "answer"])
def test_strict_makes_what_was_left_out_an_error(filled: Command, standing: Path, command: str) -> None:
    """The rest is shown all the same; where all of it is shown it changes nothing."""
    with ScriptedChatServer("Five days left. SOURCE [note.txt]") as server:
        model = ("--model", "m", "--base-url", server.base_url) if command == "answer" else ()
        assert filled(command, "leave", *model, *words(standing)).code == 0
        told = filled(command, "leave", *model, *words(standing), "--strict")
        assert (told.code, bool(told.text)) == (1, True)
        assert filled(command, "leave", *model, *words(standing)[:2], "--strict").code == 0
