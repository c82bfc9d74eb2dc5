"""Every refusal of the knowledge boundary: rule id, what must hold, what would follow, what to do.

Rules of this module: one row per rule, no logic but the wording. The checks stand where the values are built.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NoReturn

from ._document_rules import DOCUMENT_RULES
from .errors import BridgeContractError, BridgeTypeError, shown

_FLAG = ("{name} must be a bool", "a merely truthy value would decide silently", "pass True or False")
_MEMBER = (
    "{name} must be one of {names}, exactly",
    "a guess could widen who sees this text or how far it is trusted",
    "pass a member of {kind}, or its exact string",
)
_NAMED = (
    "{name} must not be empty",
    "diagnostics and caches could not tell whose text they speak of",
    "use an ASCII identifier",
)
_SPELLED = (
    "{name} must be made of [A-Za-z0-9_.-] from its first character to its last",
    "it stands in the prompt's own markup and could forge it",
    "use an ASCII identifier",
)
_SHORT = ("{name} must have at most 128 characters", "markup would outgrow the text it stands around", "shorten it")
_CEILING = ("{name} must be a plain int of at least {least}", "the ceiling would not hold", "pass a whole number")

RULES: Final = MappingProxyType(
    {
        **DOCUMENT_RULES,
        "AS-ING-1": (
            "knowledge may not claim an authored tier",
            "ingested text would speak as the operator",
            "use profile or session",
        ),
        "KB-CON-ID-1": _NAMED,
        "KB-CON-ID-2": _SPELLED,
        "KB-CON-ID-3": _SHORT,
        "KB-CON-CAPABILITY-1": _NAMED,
        "KB-CON-CAPABILITY-2": _SPELLED,
        "KB-CON-CAPABILITY-3": _SHORT,
        "KB-CON-SOURCE-1": (
            "source must have a callable read(request)",
            "there would be nothing to ask when the prompt is compiled",
            "pass an object with a read method, such as StaticContextSource",
        ),
        "KB-CON-LAYER-1": _MEMBER,
        "KB-CON-LAYER-2": (
            "knowledge may not stand in L0",
            "ingested text would enter the cached authored prefix",
            "use L1 or L2",
        ),
        "KB-CON-TIER-1": _MEMBER,
        "KB-CON-SCOPE-1": _MEMBER,
        "KB-CON-SCOPE-2": (
            "a scope other than deployment needs a source whose scope_aware is exactly True",
            "one tenant's text would be read for another",
            "set scope_aware=True on a source that honours scope_path, or use scope deployment",
        ),
        "KB-CON-ORDER-1": ("order must be a plain int", "the order of the prompt would not be total", "pass an int"),
        "KB-CON-INHERIT-1": _FLAG,
        "KB-CON-PINNED-1": _FLAG,
        "KB-CON-PINNED-2": (
            "knowledge may not be pinned",
            "ingested text could push the operator's own out of the budget",
            "leave pinned at False",
        ),
        "KB-CON-HYDRATION-1": _FLAG,
        "KB-CON-REQUEST-1": ("{name} must be text", "nobody could tell what is asked for", "pass a str"),
        "KB-CON-REQUEST-2": ("turn must be a plain int", "turns would have no order", "pass 0, 1, 2 …"),
        "KB-CON-READ-1": ("{name} must be text", "nothing else can stand in a prompt", "pass a str"),
        "KB-CON-READ-2": _FLAG,
        "KB-CON-STATIC-1": _FLAG,
        "KB-CON-INGEST-1": (
            "dropped must be a tuple of (name, reason) pairs of text",
            "the account of what was left out could not be read",
            'pass tuples such as (("handbook", "missing"),)',
        ),
        "KB-CON-PATH-1": ("a scope path must be text", "nobody's scope can be told from it", "pass str(ScopePath(…))"),
        "KB-CON-PATH-2": (
            "a scope path must have an even number of parts",
            "an id without its kind could match another tenant",
            'build it with ScopePath.of(("tenant", "acme"))',
        ),
        "KB-CON-PATH-3": (
            "a scope path is built from (kind, id) pairs",
            "kind and id could be confused",
            'pass pairs such as ("tenant", "acme")',
        ),
        "KB-CON-PATH-4": (
            "a scope part must be text that is not empty",
            "an empty part would stand for every tenant",
            "name both the kind and the id",
        ),
        "KB-CON-PATH-5": (
            "a scope part must show what it is, but {fault}",
            "two scopes could look alike, or split alike",
            "use visible text",
        ),
        "KB-CON-PATH-8": (
            "a scope path must have at most 64 pairs, not {count}",
            "every question would be asked at each of its ancestors",
            "use fewer, broader scopes",
        ),
        "KB-ASM-ID-1": (
            "a contribution_id may be declared once",
            "two texts would answer to one name in diagnostics and caches",
            "give each contribution its own id",
        ),
        "KB-ASM-TYPE-1": (
            "only ContextContribution values can be assembled",
            "nothing else has passed the refusals of this capability",
            "declare it as a ContextContribution",
        ),
        "KB-GRD-ENTRY-1": ("{name} of a ledger entry must be text", "nobody could tell what was shown", "pass a str"),
        "KB-GRD-ENTRY-2": (
            "{name} of a ledger entry must have a UTF-8 form",
            "its digest could not be computed, and no prompt can hold it",
            "leave the fragment out: it holds lone surrogates",
        ),
        "KB-GRD-ENTRY-3": (
            "the label of a ledger entry must be that of its source, with or without a keyed tag",
            "a reference would be counted for a source the prompt never named",
            "take it from the line the prompt shows, or call safe_source(source)",
        ),
        "KB-GRD-ENTRY-4": (
            "content_hash must be the SHA-256 of the content in UTF-8, 64 lower-case hexadecimal digits",
            "the content could be another than the one the prompt showed",
            "leave it empty to have it computed",
        ),
        "KB-GRD-ENTRY-5": (
            "score of a ledger entry must be a finite number",
            "it could not be written down and read back",
            "pass a float such as 0.0",
        ),
        "KB-GRD-LEDGER-1": (
            "a ledger entry must have the attributes {names}",
            "references to it could not be checked",
            "pass LedgerEntry(…)",
        ),
        "KB-GRD-LEDGER-2": (
            "a label may stand in a ledger once",
            "nobody could tell which of two fragments a reference means",
            "show fragments under keyed labels (RetrievalPolicy.hardened), and each of them once",
        ),
        "KB-GRD-LEDGER-8": (
            "the entries of a ledger must be values to iterate over",
            "nobody could tell what the prompt showed",
            "pass a list of LedgerEntry(…), or of a selection its .admitted",
        ),
        "KB-GRD-JSON-1": (
            "a {kind} must be JSON text, without repeated names, NaN or infinity",
            "what it says would depend on who reads it",
            "pass what to_json wrote, whole",
        ),
        "KB-GRD-JSON-2": (
            'a {kind} must be a JSON object whose format is "{kind}"',
            "another record would be read as one",
            "pass what to_json of the same class wrote",
        ),
        "KB-GRD-JSON-3": (
            "the version of a {kind} must be {versions}",
            "what a newer version means would be guessed",
            "read it with the version of the library that wrote it, or a newer one",
        ),
        "KB-GRD-JSON-4": (
            "{where} must be an object with exactly the fields {names}",
            "something would be left out or made up",
            "pass what to_json wrote, unchanged",
        ),
        "KB-GRD-JSON-5": (
            "{where} must be a list",
            "nothing could be read from it",
            "pass what to_json wrote, unchanged",
        ),
        "KB-GRD-REPORT-1": (
            "{name} in a report must be text with a UTF-8 form",
            "the report could not be written down",
            "pass a str without lone surrogates",
        ),
        "KB-GRD-REPORT-2": (
            "offsets in a report must be plain ints from 0, none less than the one before, at least one, in a tuple",
            "nobody could find the place",
            "count characters of the output",
        ),
        "KB-GRD-REPORT-3": (
            "labels in a report must be a tuple of text, at least {least}",
            "the report could not be compared or written down",
            "pass labels of the ledger",
        ),
        "KB-GRD-REPORT-4": (
            "verdict must be one of {names}, exactly",
            "nobody could tell what was found",
            "pass a member of QuoteVerdict",
        ),
        "KB-GRD-REPORT-5": (
            "labels stand beside the verdict elsewhere, and beside no other",
            "the report would contradict itself",
            "name the fragments that hold the words",
        ),
        "KB-GRD-REPORT-6": (
            "this part of a report must be a tuple of {kind} values",
            "nothing else has passed the checks of a report",
            "build them with {kind}(…)",
        ),
        "KB-GRD-REPORT-7": (
            "{name} in a report must be a plain int from 0",
            "nobody could tell how much the report leaves out",
            "count what is left out; 0 where nothing is",
        ),
        "KB-GRD-FILTER-1": (
            "ledger must be a CitationLedger",
            "nothing would say what the prompt showed",
            "pass CitationLedger(entries)",
        ),
        "KB-GRD-FILTER-2": (
            'on_unknown must be "mark" or "keep"',
            "nobody could tell what becomes of an invented source",
            "pass one of the two words",
        ),
        "KB-GRD-FILTER-3": (
            "render must be callable with an entry and its number, or None",
            "references could not be rewritten",
            "pass a function, or leave it out",
        ),
        "KB-GRD-RENDER-1": (
            "render must not raise, but for this label it raised {error}",
            "nothing could be written in the place of the reference",
            "let it answer text for every entry of the ledger",
        ),
        "KB-GRD-RENDER-2": (
            "render must answer text for every label",
            "nothing could be written in the place of the reference",
            "let it answer a str",
        ),
        "KB-GRD-RENDER-4": (
            "render must not feed, flush or copy the filter that calls it",
            "the place it is asked about would be passed before it is written",
            "let it answer text and nothing else; report() may be called",
        ),
        "KB-GRD-WRITER-1": (
            "a name in a reference must be text of 1 to 254 characters in one line, without square brackets",
            "what is written would be no reference",
            "pass labels of the ledger",
        ),
        "KB-RET-POLICY-1": _CEILING,
        "KB-RET-POLICY-2": (
            "min_score must be a finite real number",
            "NaN compares false with every score, so the floor would admit everything",
            "pass a number such as 0.0; a negative one is fine",
        ),
        "KB-RET-POLICY-3": _FLAG,
        "KB-RET-POLICY-4": (
            "the key must be bytes, at least 16 of them",
            "tags made with it could be guessed by whoever writes content",
            "pass secrets.token_bytes(32), kept with the store",
        ),
        "KB-RET-POLICY-5": (
            "keyed labels and neutralised markers switch on together",
            "a tag that was shown once could be replayed inside content",
            "use RetrievalPolicy.hardened(key=…)",
        ),
        "KB-RET-POLICY-9": (
            "count must be a callable from text to a number, or None",
            "no ceiling could be held in its unit",
            "pass a function such as a tokenizer's count, or leave it out to count characters",
        ),
        "KB-RET-SOURCE-1": (
            "retriever must have a callable search(query, limit)",
            "there would be no store to ask",
            "pass a KnowledgeRetriever",
        ),
        "KB-RET-SOURCE-2": (
            "query must be text or a callable from the request to text",
            "there would be nothing to ask the store",
            "pass a str or a function",
        ),
        "KB-RET-SOURCE-3": (
            "scope_in_query needs a query with the placeholder {{scope_path}}",
            "the store would be asked without any scope",
            "put {{scope_path}} into the query, or turn scope_in_query off",
        ),
        "KB-RET-SOURCE-4": (
            "policy must be a RetrievalPolicy",
            "no ceiling of this side would be in force",
            "pass RetrievalPolicy(…)",
        ),
        "KB-RET-SOURCE-5": _FLAG,
        "KB-RET-ASK-1": (
            "a source is asked with a ContextRequest",
            "its scope path decides who reads what",
            'pass ContextRequest("knowledge", scope_path)',
        ),
        "KB-RET-ASK-2": (
            "rows are given as something that can be iterated",
            "there would be nothing to rank",
            "pass a list of RetrievedFragment values",
        ),
        "KB-RET-RENDER-1": (
            "only a FragmentSelection can be rendered",
            "rows that nothing has admitted would enter the prompt",
            "pass what select_fragments or KnowledgeSource.select answered, whole",
        ),
        "KB-TXT-TYPE-1": (
            "text must be a str",
            "nothing else stands in a prompt or names a source",
            "decode bytes, and convert other values where they are made",
        ),
        "KB-TXT-MARK-1": (
            "is_mark takes exactly one character",
            "the answer would be about none of several",
            "ask for each character",
        ),
        "KB-STR-TEXT-1": (
            "only text can be fed to a filter",
            "nothing else can be joined to what it holds",
            "decode bytes first, and leave out chunks that hold no text",
        ),
        "KB-STR-CHUNKS-1": (
            "chunks must be {kind} of text",
            "there would be nothing to read",
            "pass what the model's client answers when it streams, or a list of texts",
        ),
        "KB-STR-FILTER-1": (
            "a filter must have a callable feed(text) and a callable flush()",
            "text could not be passed on, or would be left behind in it",
            "pass an object such as CitationTagFilter()",
        ),
        "KB-STR-FILTER-2": (
            "a filter may stand in a chain once",
            "it would mix what it holds from two places",
            "make one object for each place",
        ),
        "KB-STR-BUSY-1": (
            "a chain must not be fed or flushed while it reads",
            "what its filters hold would come before the text they are reading",
            "let what a filter calls, such as render, answer and nothing else; use one chain in one thread at a time",
        ),
        "KB-CIT-NAMES-1": (
            "layer_names must be a sequence of names",
            "a bare string would be read as one name for each of its characters",
            'pass a tuple such as ("semantic", "working")',
        ),
        "KB-CIT-NAMES-2": (
            "layer_names must hold at least one name",
            "no tag would ever be removed",
            "leave layer_names out for DEFAULT_LAYER_NAMES",
        ),
        "KB-CIT-NAMES-3": (
            "a layer name must be text that is not empty, without square brackets, line breaks and control characters",
            "where a tag begins and ends would be open to doubt",
            "pass the name as it stands between the brackets of a tag",
        ),
    }
)
"""``rule id: (what must hold, what would follow, what to do)``."""


def refuse(rule: str, value: object, contribution_id: object = "", **fields: object) -> NoReturn:
    """Raise the refusal ``rule`` with its evidence.

    Args:
        rule: A key of :data:`RULES`.
        value: The offending value.
        contribution_id: The declaration it stands in, where there is one.
        **fields: What the wording of the rule names in braces; ``got`` stands in the place of the value.
    """
    where = f" in contribution {shown(contribution_id)}" if contribution_id else ""
    message = _message(rule, value, where, fields)
    raise BridgeContractError(message, rule=rule, contribution_id=contribution_id, value=value)


def refuse_type(rule: str, value: object, **fields: object) -> NoReturn:
    """Raise the refusal ``rule`` of a call with a value of the wrong type.

    Args:
        rule: A key of :data:`RULES`.
        value: The offending value.
        **fields: What the wording of the rule names in braces.
    """
    raise BridgeTypeError(_message(rule, value, "", fields), rule=rule, value=value)


def _message(rule: str, value: object, where: str, fields: dict[str, object]) -> str:
    must, otherwise, remedy = (part.format(**fields) for part in RULES[rule])
    got = fields.get("got", shown(value))
    return f"{must}{where}, got {got}: {otherwise}. Remedy: {remedy}. [{rule}]"
