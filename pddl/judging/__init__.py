"""Faults and requirements of domains and problems, whether they were read or made in Python."""
