"""The blocks of the overview, each a widget fed with reports; the page arranges them."""

from __future__ import annotations
