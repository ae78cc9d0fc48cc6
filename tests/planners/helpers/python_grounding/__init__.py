"""The slow twin of the grounding in C++: the same, in plain Python, for tests to compare with."""
