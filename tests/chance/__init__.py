"""Chance: expected values, and their proofs."""
