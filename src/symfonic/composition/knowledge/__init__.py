"""The knowledge base: documents in, cited prompts out. The only ring that sees both capabilities and the adapters.

Start at :class:`KnowledgeBase`, or :class:`AsyncKnowledgeBase` under asyncio. Everything public is re-exported here.
"""

from .aio import AsyncKnowledgeBase as AsyncKnowledgeBase
from .aio import Opening as Opening
from .chunking import CHUNKING_VERSION as CHUNKING_VERSION
from .chunking import Chunking as Chunking
from .chunking import ChunkPolicy as ChunkPolicy
from .chunking import chunk_extraction as chunk_extraction
from .chunking import passage_label as passage_label
from .errors import CompileFailedError as CompileFailedError
from .errors import InputError as InputError
from .errors import KeyFileError as KeyFileError
from .errors import KnowledgeError as KnowledgeError
from .errors import MissingExtraError as MissingExtraError
from .errors import MissingStoreError as MissingStoreError
from .errors import QuestionError as QuestionError
from .errors import ScopeError as ScopeError
from .errors import SettingsError as SettingsError
from .errors import StoreFailedError as StoreFailedError
from .errors import WiringError as WiringError
from .explanation import Answerable as Answerable
from .explanation import Ceilings as Ceilings
from .explanation import ExplainedRow as ExplainedRow
from .explanation import Explanation as Explanation
from .hygiene import TextChange as TextChange
from .hygiene import TextInspection as TextInspection
from .hygiene import inspect_text as inspect_text
from .hygiene import showable as showable
from .ingestion import MAX_FILE_BYTES as MAX_FILE_BYTES
from .ingestion import FileOutcome as FileOutcome
from .ingestion import IngestItem as IngestItem
from .ingestion import IngestProgress as IngestProgress
from .ingestion import IngestReport as IngestReport
from .ingestion import IngestStoppedError as IngestStoppedError
from .ingestion import ingest as ingest
from .ingestion import require_paths as require_paths
from .keys import KEY_BYTES as KEY_BYTES
from .keys import fingerprint as fingerprint
from .keys import import_key as import_key
from .keys import key_path as key_path
from .keys import obtain_key as obtain_key
from .keys import parse_key as parse_key
from .keys import read_key as read_key
from .keys import rotate_key as rotate_key
from .knowledge_base import KnowledgeBase as KnowledgeBase
from .knowledge_base import Scope as Scope
from .knowledge_base import scope_path_of as scope_path_of
from .settings import DEFAULT_INSTRUCTIONS as DEFAULT_INSTRUCTIONS
from .settings import ENVIRONMENT_PREFIX as ENVIRONMENT_PREFIX
from .settings import Settings as Settings
from .settings import default_store_path as default_store_path
from .settings import read_instructions as read_instructions
from .wiring import INSTRUCTIONS_ID as INSTRUCTIONS_ID
from .wiring import KNOWLEDGE_ID as KNOWLEDGE_ID
from .wiring import prompt_contributions as prompt_contributions
