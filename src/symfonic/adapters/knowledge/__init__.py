"""Adapters of the knowledge boundary, and the ports they stand on. Each outside part has one module and one extra."""

from .ports import AdapterError as AdapterError
from .ports import ChatMessage as ChatMessage
from .ports import ChatModel as ChatModel
from .ports import Chunk as Chunk
from .ports import Completion as Completion
from .ports import Document as Document
from .ports import DocumentRecord as DocumentRecord
from .ports import Embedder as Embedder
from .ports import EmbeddingError as EmbeddingError
from .ports import EmbeddingSpace as EmbeddingSpace
from .ports import Extraction as Extraction
from .ports import ExtractionError as ExtractionError
from .ports import Extractor as Extractor
from .ports import FinishReason as FinishReason
from .ports import KnowledgeStore as KnowledgeStore
from .ports import ModelError as ModelError
from .ports import Removal as Removal
from .ports import Reranker as Reranker
from .ports import SearchResultModel as SearchResultModel
from .ports import Section as Section
from .ports import StoredChunk as StoredChunk
from .ports import StoreError as StoreError
from .ports import StoreStats as StoreStats
from .ports import VectorStore as VectorStore
from .ports import embedded_text as embedded_text
