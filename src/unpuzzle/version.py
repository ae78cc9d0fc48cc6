"""The version of unpuzzle. A leaf without imports."""

__version__ = "0.1.0"
