"""Parts of the page "Explain an error": the log with its findings, what they mean, and how a log comes in."""

from __future__ import annotations
