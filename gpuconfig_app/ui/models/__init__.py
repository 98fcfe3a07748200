"""Qt models that lay core dataclasses out in rows and columns."""

from __future__ import annotations
