"""The window: pages over the state, painted by tokens. Nothing here computes, fetches or writes files."""

from __future__ import annotations
