"""The words of the product: frozen dataclasses and enums that every other room speaks.

Standard library only. Nothing here reads a file, asks a driver or knows a window.
"""

from __future__ import annotations
