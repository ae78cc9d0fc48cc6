"""Programs leave nothing behind; and their time limits are reached when a test says so."""

from support.programs import nothing_left, sampled_after, scratch, time_is_up_when, words

__all__ = ["nothing_left", "sampled_after", "scratch", "time_is_up_when", "words"]
