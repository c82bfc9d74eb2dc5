"""A compiled prompt as request parts for models, as plain data. No provider's library is needed or imported."""

from .anthropic import anthropic_request as anthropic_request
from .calls import FUNCTION_NAME as FUNCTION_NAME
from .citations import AnthropicCitations as AnthropicCitations
from .citations import UnresolvedCitation as UnresolvedCitation
from .errors import MessageError as MessageError
from .gemini import UNSIGNED_CALL as UNSIGNED_CALL
from .gemini import gemini_request as gemini_request
from .langchain import langchain_anthropic_messages as langchain_anthropic_messages
from .langchain import langchain_messages as langchain_messages
from .openai import Caching as Caching
from .openai import openai_chat_request as openai_chat_request
from .openai import openai_responses_request as openai_responses_request
from .parts import EVIDENCE_NOTE as EVIDENCE_NOTE
from .parts import Evidence as Evidence
from .parts import Headed as Headed
from .parts import Labelled as Labelled
from .parts import MessageParts as MessageParts
from .parts import SystemPart as SystemPart
from .parts import Turn as Turn
