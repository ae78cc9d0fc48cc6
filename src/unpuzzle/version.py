"""The version of unpuzzle, defined only here: the build reads it from this file. A leaf without imports."""

__version__ = "1.0.0rc1"
