"""The knowledge boundary: what ingested content may declare, how it is selected, and how it renders.

Standard library only, synchronous, no I/O, no clock, no randomness. Everything public is re-exported here.
"""

from .assembly import ContributionSpec as ContributionSpec
from .assembly import assemble as assemble
from .contracts import AUTHORED_TIERS as AUTHORED_TIERS
from .contracts import LAYER_LADDER as LAYER_LADDER
from .contracts import SCOPE_PATH_DELIMITER as SCOPE_PATH_DELIMITER
from .contracts import ContextContribution as ContextContribution
from .contracts import ContextContributor as ContextContributor
from .contracts import ContextLayer as ContextLayer
from .contracts import ContextRead as ContextRead
from .contracts import ContextRequest as ContextRequest
from .contracts import ContextScope as ContextScope
from .contracts import ContextSource as ContextSource
from .contracts import ContextTier as ContextTier
from .contracts import IngestSelection as IngestSelection
from .contracts import ScopePath as ScopePath
from .contracts import StaticContextSource as StaticContextSource
from .contracts import layer_index as layer_index
from .contracts import ordering_key as ordering_key
from .contracts import resolve_scope as resolve_scope
from .contracts import scope_ancestors as scope_ancestors
from .errors import BridgeContractError as BridgeContractError
from .errors import BridgeError as BridgeError
from .hygiene import Change as Change
from .hygiene import Inspection as Inspection
from .hygiene import clean_content as clean_content
from .hygiene import inspect_content as inspect_content
from .hygiene import is_encodable as is_encodable
from .hygiene import is_mark as is_mark
from .hygiene import neutralise_markers as neutralise_markers
from .hygiene import shows_blank as shows_blank
from .retrieval import DropCode as DropCode
from .retrieval import DropReason as DropReason
from .retrieval import FragmentSelection as FragmentSelection
from .retrieval import KnowledgeRetriever as KnowledgeRetriever
from .retrieval import KnowledgeSource as KnowledgeSource
from .retrieval import Label as Label
from .retrieval import RetrievalPolicy as RetrievalPolicy
from .retrieval import RetrievedFragment as RetrievedFragment
from .retrieval import ScopedKnowledgeRetriever as ScopedKnowledgeRetriever
from .retrieval import flatten_content as flatten_content
from .retrieval import knowledge_contribution as knowledge_contribution
from .retrieval import render_fragments as render_fragments
from .retrieval import safe_source as safe_source
from .retrieval import select_fragments as select_fragments
from .retrieval import selection_revision as selection_revision
