"""What is told in place of a window where there is no screen, as over SSH or on a server."""

from __future__ import annotations

from gpuconfig_app.cli.output import ExitCode, Output, user_language
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.workbench.bench import Workbench


def tell_no_screen() -> int:
    """Say on stderr that no window can open here and what works instead; gives the exit code."""
    bench = Workbench()
    settings, _ = bench.settings()
    output = Output(bench.texts, is_json=False, language=user_language(settings.language))
    output.error(GpuConfigError(Message("cli.no-screen"), Message("cli.no-screen-hint")))
    return ExitCode.BLOCKED
