"""Measures of rankings. Importing this package needs none of its optional parts."""
