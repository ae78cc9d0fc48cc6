"""Simpler forms of domains: substitution, effects on single atoms, and the invariants that follow from them."""
