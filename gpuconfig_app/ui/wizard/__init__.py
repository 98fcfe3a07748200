"""The wizard: seven steps from a task to a script that runs. Its draft outlives the pages that show it."""

from __future__ import annotations
