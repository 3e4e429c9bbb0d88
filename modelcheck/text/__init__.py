"""Texts at the border: what comes from people, and what is shown to them.

typed.py     what people type, taken with care
visible.py   what comes from outside, so that it can be shown
"""
