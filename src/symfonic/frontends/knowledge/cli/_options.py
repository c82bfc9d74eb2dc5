"""Every option and argument, declared once, so that the same word means the same in every command.

Rules of this module: declarations only. Defaults that a settings file may change are ``None`` here.
"""

from __future__ import annotations

from typing import Any, Final

import typer

from symfonic.composition.knowledge import ChunkPolicy, Settings

_WHERE: Final = "Where"
_CEILINGS: Final = "Ceilings"
_ANSWERING: Final = "Model"
_WHOLE: Final = "Whole documents"
_USUAL: Final = Settings()

QUESTION: Final[Any] = typer.Argument(
    ..., metavar="QUESTION", help="What to ask, in your own words.", show_default=False
)
PATHS: Final[Any] = typer.Argument(..., metavar="PATH...", help="Files and folders to read.", show_default=False)
PATTERN: Final[Any] = typer.Argument(
    None, metavar="LABEL-OR-GLOB", help="A file, a label, an origin as list shows it, or a glob.", show_default=False
)
TEXT_FILE: Final[Any] = typer.Argument("-", metavar="FILE", help="A UTF-8 text, or - for standard input.")
KEY_FILE: Final[Any] = typer.Argument(
    "-", metavar="FILE", help="A key as hex, base64 or 32 raw bytes, or - for standard input."
)

KEY_NAME: Final[Any] = typer.Argument(
    ..., metavar="NAME", help="Whom the key is for, in words for people.", show_default=False
)
KEY_ID: Final[Any] = typer.Argument(
    ..., metavar="ID", help="The id of the key, as access list shows it: never its token.", show_default=False
)
KEY_SCOPE: Final[Any] = typer.Option(
    None,
    "--scope",
    metavar="KIND:ID",
    help="The widest scope its holder may name, such as tenant:acme. Repeat it from the root down. Without it: "
    "everything in the store.",
    show_default=False,
)
KEY_WRITE: Final[Any] = typer.Option(False, "--write", help="Its holder may store and remove documents as well.")
KEY_DAYS: Final[Any] = typer.Option(
    None,
    "--days",
    metavar="N",
    help="It lets nobody in after so many days. Default: until it is revoked.",
    show_default=False,
)
ACCESS_FILE: Final[Any] = typer.Option(
    None,
    "--access-file",
    metavar="FILE",
    help="The file of access keys. Default: beside the store, with .access behind its name.",
    show_default=False,
    rich_help_panel=_WHERE,
)
ANSWER_FILE: Final[Any] = typer.Argument(
    "-", metavar="ANSWER-FILE", help="The answer as UTF-8 text, or - for standard input."
)

STORE: Final[Any] = typer.Option(
    None,
    "--store",
    metavar="PLACE",
    help="The store's file, or an address such as postgresql://user@host/base. Default: SYMFONIC_KNOWLEDGE_STORE, the "
    "settings, then a file in the user data folder.",
    show_default=False,
    rich_help_panel=_WHERE,
)
FROM: Final[Any] = typer.Option(
    ...,
    "--from",
    metavar="PLACE",
    help="The store to copy: its file, or an address such as postgresql://user@host/base.",
)
TO: Final[Any] = typer.Option(
    ..., "--to", metavar="PLACE", help="The store to copy into: a file or an address; made where there is none."
)
SCOPE: Final[Any] = typer.Option(
    None,
    "--scope",
    metavar="KIND:ID",
    help="Whose knowledge, such as tenant:acme. Repeat it from the root down. Without it: what everybody shares.",
    show_default=False,
    rich_help_panel=_WHERE,
)
ANY_SCOPE: Final[Any] = typer.Option(
    None,
    "--scope",
    metavar="KIND:ID",
    help="Whose knowledge, such as tenant:acme. Repeat it from the root down. Without it: that of everybody, every "
    "tenant's included.",
    show_default=False,
    rich_help_panel=_WHERE,
)
HTTP: Final[Any] = typer.Option(
    None,
    "--http",
    metavar="HOST:PORT",
    help="Serve over HTTP at this address, with the store's access keys; without keys on this machine alone.",
    show_default=False,
)
MCP_HOST: Final[Any] = typer.Option(
    None,
    "--allowed-host",
    metavar="NAME",
    help="Another name under which --http is asked, as in an address: kb.example.org. Repeat it for more.",
    show_default=False,
)
SETTINGS: Final[Any] = typer.Option(
    None,
    "--settings",
    metavar="FILE",
    help="A settings file (TOML). Default: SYMFONIC_KNOWLEDGE_SETTINGS.",
    show_default=False,
    rich_help_panel=_WHERE,
)
EMBEDDER: Final[Any] = typer.Option(
    None,
    "--embedder",
    metavar="NAME",
    help="What finds passages by meaning: minilm, openai:MODEL, or none for words alone. Default: the setting "
    "embedder, else what filled the store.",
    show_default=False,
    rich_help_panel=_WHERE,
)
INSTRUCTIONS: Final[Any] = typer.Option(
    None, "--instructions", metavar="FILE", help="What the model is told, as UTF-8 text.", show_default=False
)
ATTACH: Final[Any] = typer.Option(
    None,
    "--attach",
    metavar="FILE",
    help="A file whose text the prompt shows whole. Repeat it for more.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
DOCUMENT: Final[Any] = typer.Option(
    None,
    "--document",
    metavar="NAME",
    help="A document of --documents that the prompt shows whole, such as policies/leave.md. Repeat it for more. The "
    "setting document_names names some for every prompt.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
DOCUMENTS: Final[Any] = typer.Option(
    None,
    "--documents",
    metavar="FOLDER",
    help="The folder in which --document names UTF-8 texts. Default: the setting document_folder, "
    "which keeps those that the settings name.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_DOCUMENT_CHARS: Final[Any] = typer.Option(
    None,
    "--max-document-chars",
    metavar="N",
    help="Most characters of one --document; a longer one is left out whole. Default: the setting max_document_chars, "
    f"else {_USUAL.max_document_chars}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_TOTAL_DOCUMENT_CHARS: Final[Any] = typer.Option(
    None,
    "--max-total-document-chars",
    metavar="N",
    help="Most characters of all lines of them together. Default: the setting max_total_document_chars, "
    f"else {_USUAL.max_total_document_chars}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_ATTACHMENTS: Final[Any] = typer.Option(
    None,
    "--max-attachments",
    metavar="N",
    help=f"Most --attach files that are read. Default: the setting max_attachments, else {_USUAL.max_attachments}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_ATTACHMENT_BYTES: Final[Any] = typer.Option(
    None,
    "--max-attachment-bytes",
    metavar="N",
    help=f"Most bytes of one. Default: the setting max_attachment_bytes, else {_USUAL.max_attachment_bytes}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_ATTACHMENT_CHARS: Final[Any] = typer.Option(
    None,
    "--max-attachment-chars",
    metavar="N",
    help="Most characters of one's text; a longer one is left out whole. Default: the setting max_attachment_chars, "
    f"else {_USUAL.max_attachment_chars}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
MAX_TOTAL_ATTACHMENT_CHARS: Final[Any] = typer.Option(
    None,
    "--max-total-attachment-chars",
    metavar="N",
    help="Most characters of all lines of them together. Default: the setting max_total_attachment_chars, "
    f"else {_USUAL.max_total_attachment_chars}.",
    show_default=False,
    rich_help_panel=_WHOLE,
)
STRICT_WHOLE: Final[Any] = typer.Option(
    False,
    "--strict",
    help="Exit 1 when a document or attachment was left out; the others are shown all the same.",
    rich_help_panel=_WHOLE,
)
MODEL: Final[Any] = typer.Option(
    None,
    "--model",
    metavar="NAME",
    help="What answers: a model's name, anthropic:NAME, or local. Default: the setting model.",
    show_default=False,
    rich_help_panel=_ANSWERING,
)
BASE_URL: Final[Any] = typer.Option(
    None,
    "--base-url",
    metavar="URL",
    help="Where it is reached: the address before /chat/completions, or before /v1/messages. Default: the setting "
    "base_url, else the provider's own. A key comes from OPENAI_API_KEY or ANTHROPIC_API_KEY; this machine needs none.",
    show_default=False,
    rich_help_panel=_ANSWERING,
)
SAVE_LEDGER: Final[Any] = typer.Option(
    None,
    "--save-ledger",
    metavar="FILE",
    help="Keep what the prompt shows, for verify; only you can read the file.",
    show_default=False,
)
LEDGER: Final[Any] = typer.Option(
    ..., "--ledger", metavar="FILE", help="What the prompt showed, as --save-ledger kept it.", show_default=False
)
LIMIT: Final[Any] = typer.Option(
    None,
    "--limit",
    metavar="N",
    help=f"Most passages. Default: the setting limit, else {_USUAL.limit}.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
SEARCH_LIMIT: Final[Any] = typer.Option(
    None,
    "--limit",
    metavar="N",
    help=f"Most passages. Default: the setting candidates, else {_USUAL.candidates}; the setting limit is of prompts.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
MIN_SCORE: Final[Any] = typer.Option(
    None,
    "--min-score",
    metavar="SCORE",
    help=f"Least score of a passage, from 0 to 1. Default: the setting min_score, else {_USUAL.min_score:g}.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
MAX_FRAGMENT_CHARS: Final[Any] = typer.Option(
    None,
    "--max-fragment-chars",
    metavar="N",
    help="Most characters of one passage; a longer one is left out whole. Default: the setting max_fragment_chars, "
    f"else {_USUAL.max_fragment_chars}.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
MAX_TOTAL_CHARS: Final[Any] = typer.Option(
    None,
    "--max-total-chars",
    metavar="N",
    help="Most characters of all source lines together. Default: the setting max_total_chars, "
    f"else {_USUAL.max_total_chars}.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
MAX_CHUNK_CHARS: Final[Any] = typer.Option(
    None,
    "--max-chunk-chars",
    metavar="N",
    help="Most characters of a stored passage; it is split there. Default: the setting max_chunk_chars, "
    f"else {ChunkPolicy().max_chars}.",
    show_default=False,
    rich_help_panel=_CEILINGS,
)
WORKERS: Final[Any] = typer.Option(
    None,
    "--workers",
    metavar="N",
    help="Most files that are extracted at the same time. Default: the setting workers, else one for each processor, "
    "at most 4.",
    show_default=False,
)
TEXT: Final[Any] = typer.Option(False, "--text", help="Show the extracted text as well.")
PRUNE: Final[Any] = typer.Option(False, "--prune", help="Remove what came from these folders and is gone.")
STRICT: Final[Any] = typer.Option(
    False, "--strict", help="Exit 1 when a file failed, was unreadable or was missing; the others are stored."
)
ANEW: Final[Any] = typer.Option(
    False, "--anew", help="Drop all vectors first, also those of another embedder, and embed every passage again."
)
CORPUS: Final[Any] = typer.Option(
    None,
    "--corpus",
    metavar="FILE",
    help='Documents to ask, a JSON object a line with "_id", "title" and "text". Without it: what the store holds.',
    show_default=False,
)
QUERIES: Final[Any] = typer.Option(
    ..., "--queries", metavar="FILE", help='Questions, a JSON object a line with "_id" and "text".', show_default=False
)
QRELS: Final[Any] = typer.Option(
    ...,
    "--qrels",
    metavar="FILE",
    help="Judgements: query id, document id and grade a line, parted by tabs; TREC's four columns as well.",
    show_default=False,
)
PER_QUERY: Final[Any] = typer.Option(
    None, "--per-query", metavar="FILE", help="Write the values of every query, parted by tabs.", show_default=False
)
BASELINE: Final[Any] = typer.Option(
    None,
    "--baseline",
    metavar="FILE",
    help="What --per-query of an earlier run wrote: show the differences, query by query.",
    show_default=False,
)
COMPARE: Final[Any] = typer.Option(
    None,
    "--compare",
    metavar="NAME",
    help="An embedder, or none for words alone: measure with it as well, and show the differences, query by query.",
    show_default=False,
)
NEGATIVES: Final[Any] = typer.Option(
    None,
    "--negatives",
    metavar="FILE",
    help="Questions that nothing answers, as --queries: show what floors under scores keep out, and keep.",
    show_default=False,
)
CHART: Final[Any] = typer.Option(
    None, "--chart", metavar="FILE", help="Draw the result, as .svg or .png.", show_default=False
)
STRICT_LINES: Final[Any] = typer.Option(
    False, "--strict", help="Exit 1 when a line was passed over; what was measured is shown all the same."
)
CORPUS_STORE: Final[Any] = typer.Option(
    None,
    "--store",
    metavar="PATH",
    help="The store to ask; with --corpus, where the corpus is kept for the next run. Default: as elsewhere; with "
    "--corpus, nothing is kept.",
    show_default=False,
    rich_help_panel=_WHERE,
)
VACUUM: Final[Any] = typer.Option(False, "--vacuum", help="Write the store anew, so that nothing of it is left.")
STRICT_FILES: Final[Any] = typer.Option(
    False, "--strict", help="Exit 1 when a file failed, was unreadable or was missing."
)
JSON: Final[Any] = typer.Option(False, "--json", help="Answer with one JSON document on standard output.")

# ----------------------------------------------------------------------------------------------------------- service

_PORT_PANEL: Final = "Port"
_LIMITS: Final = "Limits"

HOST: Final[Any] = typer.Option(
    "127.0.0.1",
    "--host",
    metavar="ADDRESS",
    help="The address to listen at. One that other machines reach needs access keys.",
    rich_help_panel=_PORT_PANEL,
)
PORT: Final[Any] = typer.Option(
    8080, "--port", metavar="N", help="The port; 0 takes any that is free.", rich_help_panel=_PORT_PANEL
)
ALLOWED_HOST: Final[Any] = typer.Option(
    None,
    "--allowed-host",
    metavar="NAME",
    help="A name under which it is asked, as browsers send it, such as kb.example.org. Repeat it for more.",
    show_default=False,
    rich_help_panel=_PORT_PANEL,
)
ALLOWED_ORIGIN: Final[Any] = typer.Option(
    None,
    "--allowed-origin",
    metavar="ORIGIN",
    help="Another site whose pages may ask, such as https://intranet.example.org. Repeat it for more.",
    show_default=False,
    rich_help_panel=_PORT_PANEL,
)
BEHIND_PROXY: Final[Any] = typer.Option(
    None,
    "--behind-proxy",
    metavar="ADDRESS",
    help="The proxy whose X-Forwarded-For and X-Forwarded-Proto are believed. Default: nobody's.",
    show_default=False,
    rich_help_panel=_PORT_PANEL,
)
PAGES: Final[Any] = typer.Option(
    True, "--pages/--no-pages", help="Whether there are pages for people.", rich_help_panel=_PORT_PANEL
)
SERVICE_WORKERS: Final[Any] = typer.Option(
    8, "--workers", metavar="N", help="Most questions that are worked on at the same time.", rich_help_panel=_LIMITS
)
MAX_QUESTION_CHARS: Final[Any] = typer.Option(
    10_000,
    "--max-question-chars",
    metavar="N",
    help="Most characters of a question.",
    rich_help_panel=_LIMITS,
)
MAX_BODY_BYTES: Final[Any] = typer.Option(
    None,
    "--max-body-bytes",
    metavar="N",
    help="Most bytes of a request, attachments included. Default: 1,048,576.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
MAX_UPLOAD_BYTES: Final[Any] = typer.Option(
    None,
    "--max-upload-bytes",
    metavar="N",
    help="Most bytes of a request that sends documents. Default: 67,108,864.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
MAX_CONCURRENCY: Final[Any] = typer.Option(
    None,
    "--max-concurrency",
    metavar="N",
    help="Most requests that have a place at the same time. Default: 64.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
REQUESTS_PER_MINUTE: Final[Any] = typer.Option(
    None,
    "--requests-per-minute",
    metavar="N",
    help="Most requests of one key, or of one client without. Default: 600.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
DRAIN_NOTICE: Final[Any] = typer.Option(
    None,
    "--drain-notice",
    metavar="SECONDS",
    help="How long after the signal that ends it /readyz says so while all else is still answered. Default: 0.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
REQUEST_SECONDS: Final[Any] = typer.Option(
    None,
    "--request-seconds",
    metavar="N",
    help="Longest time to the first byte of an answer. Default: 60.",
    show_default=False,
    rich_help_panel=_LIMITS,
)
