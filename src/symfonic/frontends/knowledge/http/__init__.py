"""The HTTP service. Importing it needs the extra ``server``."""
