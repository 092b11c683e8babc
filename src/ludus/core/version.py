"""The version of Ludus, which records, stores and resumed runs compare."""

__version__ = "0.2.0"
