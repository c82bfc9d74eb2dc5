"""Refusals of the bridges that show whole documents: rule id, what must hold, what would follow, what to do.

Rules of this module: rows of the table in `_refusals`, which is what raises them, and no logic.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

_FLAG = ("{name} must be a bool", "a merely truthy value would decide silently", "pass True or False")
_CEILING = ("{name} must be a plain int of at least 0", "the ceiling would not hold", "pass a whole number")
_KEY = (
    "the key must be bytes, at least 16 of them",
    "tags made with it could be guessed by whoever writes content",
    "pass secrets.token_bytes(32), kept with the store",
)
_TOGETHER = (
    "keyed labels and neutralised markers switch on together",
    "a tag that was shown once could be replayed inside content",
    "use the hardened(key=…) of this policy",
)
_COUNT = (
    "count must be a callable from text to a number, or None",
    "no ceiling could be held in its unit",
    "pass a function such as a tokenizer's count, or leave it out to count characters",
)
_ASKED = (
    "a source is asked with a ContextRequest",
    "its scope path decides who reads what",
    'pass ContextRequest("handbook", scope_path)',
)

DOCUMENT_RULES: Final = MappingProxyType(
    {
        "KB-DOC-POLICY-1": _CEILING,
        "KB-DOC-POLICY-2": _FLAG,
        "KB-DOC-POLICY-3": _KEY,
        "KB-DOC-POLICY-4": _TOGETHER,
        "KB-DOC-POLICY-5": _COUNT,
        "KB-DOC-SOURCE-1": (
            "store must have a callable get(name)",
            "there would be no store to ask",
            "pass a DocumentStore",
        ),
        "KB-DOC-SOURCE-2": (
            "names must be a list or tuple of names",
            "their order, which is that of the prompt, would be left to chance, or a text read as its characters",
            'pass a list such as ["handbook.md"]',
        ),
        "KB-DOC-SOURCE-3": (
            "the name of a document must be text that shows something and has a UTF-8 form",
            "the prompt could not name what it shows",
            "pass the name under which the store holds it",
        ),
        "KB-DOC-SOURCE-4": (
            "a document may be named once",
            "the prompt would show it twice under one label",
            "leave the second out",
        ),
        "KB-DOC-SOURCE-5": (
            "policy must be a DocumentPolicy",
            "no ceiling of this side would be in force",
            "pass DocumentPolicy(…)",
        ),
        "KB-DOC-SOURCE-6": _FLAG,
        "KB-DOC-ASK-1": _ASKED,
        "KB-ATT-POLICY-1": _CEILING,
        "KB-ATT-POLICY-2": _FLAG,
        "KB-ATT-POLICY-3": _KEY,
        "KB-ATT-POLICY-4": _TOGETHER,
        "KB-ATT-POLICY-5": _COUNT,
        "KB-ATT-FILE-1": (
            "{name} of an attachment must be text",
            "nobody could tell which file is meant",
            "pass a str",
        ),
        "KB-ATT-FILE-2": (
            "data of an attachment must be bytes",
            "what is read could change, or would have to be fetched first",
            "read the file and pass bytes(…)",
        ),
        "KB-ATT-SOURCE-1": (
            "attachments must be a list or tuple of Attachment values",
            "their order, which is that of the prompt, would be left to chance",
            "pass a list of Attachment(name, media_type, data)",
        ),
        "KB-ATT-SOURCE-2": (
            "extractor must have a callable extract(attachment)",
            "no attachment could be read",
            "pass an AttachmentExtractor",
        ),
        "KB-ATT-SOURCE-3": (
            "policy must be an AttachmentPolicy",
            "no ceiling of this side would be in force",
            "pass AttachmentPolicy(…)",
        ),
        "KB-ATT-SOURCE-4": _FLAG,
        "KB-ATT-ASK-1": _ASKED,
    }
)
