"""Messages to an answer that grows: one module for each outside library.

Nothing is imported here, so that a missing optional library is noticed by the model that needs it and by no other.
"""
