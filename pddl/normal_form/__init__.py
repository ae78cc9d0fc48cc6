"""Simpler forms of domains, and what follows from them.

substitution        other terms for variables          false_conditions   what is never true in a problem
single_effects      effects on one atom each           invariants         numbers of atoms that never grow
"""
