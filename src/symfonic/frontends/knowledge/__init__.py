"""The faces of the knowledge base. Each parses, calls composition, and shows what ``_views`` makes of the answer.

Nothing is imported here, so that a face costs only its own optional parts.
"""
