"""Faults and requirements of domains and problems, which may be read from text or made in Python."""
