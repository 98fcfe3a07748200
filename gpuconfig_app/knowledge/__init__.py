"""Readers of the fact tables in ``resources/knowledge``: one module per table, typed rows, checked when read."""
