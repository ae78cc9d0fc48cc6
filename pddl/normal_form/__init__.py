"""Simpler forms of domains, and analyses based on them: single effects, false conditions, invariants."""
