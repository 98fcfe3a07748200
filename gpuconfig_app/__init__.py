"""GPUConfig: from a GPU workstation to a TensorFlow training script that runs.

The package is a set of rooms with one import direction; CONTRIBUTING.md draws the map. This file holds the
version and nothing else, so that importing it stays free of cost.
"""

from __future__ import annotations

__version__ = "0.1.0"
