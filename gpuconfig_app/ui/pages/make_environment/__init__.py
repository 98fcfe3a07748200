"""Parts of the page that makes a working environment: what is made, the making, the proof."""

from __future__ import annotations
