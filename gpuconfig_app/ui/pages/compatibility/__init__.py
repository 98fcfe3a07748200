"""The blocks of the page Compatibility; the page arranges them."""

from __future__ import annotations
