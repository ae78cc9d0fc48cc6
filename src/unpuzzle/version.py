"""The version of unpuzzle, told here alone: the build reads it from this file. A leaf without imports."""

__version__ = "0.9.0"
