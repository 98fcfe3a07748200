"""How fast the user's data were read in a short check."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.record import Record, public_text


@dataclass(frozen=True, kw_only=True)
class DiskSpeed(Record):
    """What a short reading of the data showed, all readers together.

    Attributes:
        files_per_s: Whole files, opening included; None when none was read to its end.
        sample_bytes: Bytes that were read for it.
        sample_files: Files that were read to their end.
        readers: Files that were read side by side.
        is_from_cache: That the operating system gave data it still had in memory can't be ruled out, so the disk may
            be slower than this. What a drive or a server keeps in its own memory is never seen.
        is_complete: No reader was left waiting for an answer.
        measured_at: When, UTC, ISO 8601.
    """

    read_bytes_per_s: float
    files_per_s: float | None = None
    sample_bytes: int = 0
    sample_files: int = 0
    readers: int = 1
    is_from_cache: bool = True
    is_complete: bool = True
    measured_at: str = public_text("")

    def read_s(self, samples: int, sample_bytes: int | None) -> float | None:
        """Give the time in which so many samples are read, one file each; None when their size is not known either.

        Args:
            sample_bytes: Mean size of one, used when no whole file was read.
        """
        if self.files_per_s:
            return samples / self.files_per_s
        return None if sample_bytes is None else samples * sample_bytes / self.read_bytes_per_s
