"""Drawings as pictures. Importing this package needs none of its optional parts."""
