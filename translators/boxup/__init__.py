"""Boxup: nested boxes that can only be moved from inside."""

from unpuzzle.translators.boxup.rules import Boxup as Boxup
