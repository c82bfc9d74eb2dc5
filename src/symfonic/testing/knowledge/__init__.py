"""A test kit for people who build on the boundary: a parser, fakes, a conformance suite, checks of filters, strategies.

Strategies stand apart, in ``symfonic.testing.knowledge.strategies``: they alone need Hypothesis (extra ``[testing]``).
"""

from .chunking import assert_chunk_invariant as assert_chunk_invariant
from .chunking import assert_latency_optimal as assert_latency_optimal
from .chunking import filtered as filtered
from .conformance import HOSTILE_QUERIES as HOSTILE_QUERIES
from .conformance import BoundRetrieverConformance as BoundRetrieverConformance
from .conformance import RetrieverConformance as RetrieverConformance
from .fakes import EndlessRetriever as EndlessRetriever
from .fakes import FailingRetriever as FailingRetriever
from .fakes import HashingEmbedder as HashingEmbedder
from .fakes import InMemoryRetriever as InMemoryRetriever
from .fakes import LyingRetriever as LyingRetriever
from .fakes import ScriptedRetriever as ScriptedRetriever
from .fakes import SeedRow as SeedRow
from .models import Fault as Fault
from .models import ScriptedChatModel as ScriptedChatModel
from .models import ScriptedChatServer as ScriptedChatServer
from .models import ScriptedReply as ScriptedReply
from .models import ScriptedRequest as ScriptedRequest
from .parsing import LineFormatError as LineFormatError
from .parsing import ParsedDocument as ParsedDocument
from .parsing import ParsedLine as ParsedLine
from .parsing import find_inline_markers as find_inline_markers
from .parsing import parse_documents as parse_documents
from .parsing import parse_lines as parse_lines
from .store_conformance import StoreConformance as StoreConformance
from .vector_conformance import VectorStoreConformance as VectorStoreConformance
