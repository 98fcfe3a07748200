"""The sections of the settings page."""

from __future__ import annotations
