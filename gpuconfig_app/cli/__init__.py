"""The command line: one thin face of the five verbs (design §4)."""

from __future__ import annotations
