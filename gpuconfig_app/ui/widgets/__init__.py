"""The small parts pages are made of: painted by tokens, named for screen readers, usable by keyboard."""

from __future__ import annotations
