"""Entry of the command line: reads arguments, runs one command, turns errors into a sentence and an exit code."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from gpuconfig_app.cli.output import ExitCode, Output, user_language
from gpuconfig_app.cli.parser import build_parser
from gpuconfig_app.core.errors import GpuConfigError, StorageError, UsageError
from gpuconfig_app.core.job import JobCancelledError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.storage.log import start_log
from gpuconfig_app.workbench.bench import Workbench

logger = logging.getLogger(__name__)
Command = Callable[[argparse.Namespace, Workbench, Output], int]


def main(arguments: Sequence[str], open_window: Callable[[], None]) -> int:
    """Run one command.

    Args:
        arguments: Without the program's name; the first one names the command.
        open_window: Opens the window, visits every page and closes it again, for the self-test; the command line itself
            does not know the window.

    Returns:
        0 good, 1 works with reservations, 2 blocked or not possible, 3 wrong usage or unreadable input.
    """
    bench = Workbench()
    start_log(bench.places)
    settings, _ = bench.settings()
    output = Output(bench.texts, is_json="--json" in arguments, language=user_language(settings.language))
    try:
        parsed = build_parser(bench.texts, output.sentence).parse_args(arguments)
        return _commands(open_window)[parsed.command](parsed, bench, output)
    except UsageError as error:
        output.error(error)
        return ExitCode.USAGE
    except GpuConfigError as error:
        logger.warning("command %s: %s", arguments, error)
        output.error(error)
        return ExitCode.USAGE
    except (KeyboardInterrupt, JobCancelledError):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.GOOD
    except OSError as error:
        return _not_printed(error, output, bench)
    except Exception:  # the border: a defect becomes a sentence, its traceback stands in the log
        logger.exception("command %s failed", arguments)
        return _defect(output, bench)


def _not_printed(error: OSError, output: Output, bench: Workbench) -> int:
    """Tell why output could not be written; any other trouble with files should have become a sentence before."""
    if error.errno == errno.ENOSPC:
        logger.warning("output: %r", error)
        output.error(StorageError(Message("cli.output-full"), Message("core.disk-full-hint")))
        return ExitCode.USAGE
    logger.error("a file", exc_info=error)
    return _defect(output, bench)


def _defect(output: Output, bench: Workbench) -> int:
    output.error(GpuConfigError(Message("cli.defect", {"log": str(bench.places.logs / "gpuconfig.log")})))
    return ExitCode.USAGE


def _commands(open_window: Callable[[], None]) -> Mapping[str, Command]:
    from gpuconfig_app.cli import (  # noqa: PLC0415  # after the parser
        check,
        environment,
        explain,
        facts,
        memory,
        monitor,
        plan,
        run,
        self_test,
        survey,
    )

    return {
        "survey": survey.survey_command,
        "check": check.check_command,
        "explain": explain.explain_command,
        "plan": plan.plan_command,
        "generate": plan.generate_command,
        "templates": plan.templates_command,
        "run": run.run_command,
        "monitor": monitor.monitor_command,
        "memory": memory.memory_command,
        "env": environment.environment_command,
        "facts": facts.facts_command,
        "self-test": lambda parsed, bench, output: self_test.self_test_command(parsed, bench, output, open_window),
    }
