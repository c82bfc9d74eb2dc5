"""Contributions of every tier become one prompt: the façade, explicit re-exports and nothing else."""

from __future__ import annotations

from .compiler import SEPARATOR as SEPARATOR
from .compiler import CompiledPrompt as CompiledPrompt
from .compiler import PromptBlock as PromptBlock
from .compiler import PromptCompiler as PromptCompiler
from .compiler import PromptDigests as PromptDigests
from .compiler import compiled_chars as compiled_chars
from .contracts import AUTHORED_TIERS as AUTHORED_TIERS
from .contracts import LAYER_LADDER as LAYER_LADDER
from .contracts import PromptContribution as PromptContribution
from .contracts import PromptLayer as PromptLayer
from .contracts import PromptRead as PromptRead
from .contracts import PromptRequest as PromptRequest
from .contracts import PromptScope as PromptScope
from .contracts import PromptSource as PromptSource
from .contracts import PromptTier as PromptTier
from .contracts import StaticPromptSource as StaticPromptSource
from .contracts import layer_index as layer_index
from .contracts import ordering_key as ordering_key
from .diagnostics import LEFT_OUT_CODES as LEFT_OUT_CODES
from .diagnostics import DiagnosticCode as DiagnosticCode
from .diagnostics import PromptDiagnostic as PromptDiagnostic
from .errors import CounterError as CounterError
from .errors import HydrationError as HydrationError
from .errors import PromptBudgetError as PromptBudgetError
from .errors import PromptContractError as PromptContractError
from .errors import PromptError as PromptError
from .errors import TierTrustError as TierTrustError
from .hydration import FAILURE_CODES as FAILURE_CODES
from .hydration import Hydrator as Hydrator
from .hydration import KeyedHydrator as KeyedHydrator
from .hydration import ReadFailure as ReadFailure
from .hydration import ReadMemo as ReadMemo
from .hydration import SequentialHydrator as SequentialHydrator
from .hydration import normalise_read as normalise_read
from .hydration import read_source as read_source
from .hygiene import neutralise_control_tokens as neutralise_control_tokens
from .hygiene import neutralise_delimiters as neutralise_delimiters
from .policy import MIN_KEY_BYTES as MIN_KEY_BYTES
from .policy import RenderPolicy as RenderPolicy
from .rendering import TAG_DIGITS as TAG_DIGITS
from .rendering import authority_note as authority_note
from .rendering import delimiter_tag as delimiter_tag
from .rendering import untrusted_overhead as untrusted_overhead
