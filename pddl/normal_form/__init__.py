"""Simpler forms of domains, and what follows from them: single effects, conditions that are false, invariants."""
