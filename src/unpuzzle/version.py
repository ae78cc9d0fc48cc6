"""The version of unpuzzle, defined only here, where the build reads it. This module imports nothing."""

__version__ = "1.0.0rc1"
