"""Every file the product writes: settings, recordings, calibration, proofs, run folders, the log."""

from __future__ import annotations
