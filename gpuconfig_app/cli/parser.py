"""The grammar of the command line; wrong usage ends with exit code 3 and one sentence."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import NoReturn

from gpuconfig_app import __version__
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.workbench.text import Texts

# What argparse says, to say it in the user's language.
_WRONG_USAGE = {
    "missing": re.compile(r"the following arguments are required: (?P<names>.+)"),
    "unknown": re.compile(r"unrecognized arguments: (?P<names>.+)", re.DOTALL),
    "choice": re.compile(r"argument .+?: invalid choice: (?P<value>.+) \(choose from (?P<known>.+)\)", re.DOTALL),
    "no-value": re.compile(r"argument (?P<name>.+?): expected one argument"),
    "no-number": re.compile(r"argument (?P<name>.+?): invalid float value: (?P<value>.+)", re.DOTALL),
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Turn argparse's exit code 2 into our one sentence and exit code 3."""
        usage = " ".join(self.format_usage().removeprefix("usage: ").split())
        for name, shape in _WRONG_USAGE.items():
            found = shape.fullmatch(message)
            if found is not None:
                raise UsageError(Message(f"cli.usage-{name}", {**found.groupdict(), "usage": usage}))
        raise UsageError(Message("cli.usage", {"detail": message, "usage": usage}))


def build_parser(texts: Texts, sentence: Callable[[Message | LocalText | str], str]) -> argparse.ArgumentParser:
    """Make the parser with help in the user's language.

    Args:
        texts: Only used through ``sentence``; named so that a missing text fails early.
        sentence: Renders a message.
    """

    def say(name: str) -> str:
        message_id = f"cli.{name}"
        if message_id not in texts.ids:
            raise KeyError(message_id)
        return sentence(Message(message_id)).replace("%", "%%")

    parser = _Parser(prog="gpuconfig", description=say("description"), epilog=say("epilog"))
    parser.add_argument("--version", action="version", version=f"gpuconfig {__version__}")
    parser.add_argument("--demo", action="store_true", help=say("help-demo"))
    parser.add_argument("--machine", metavar="PATH_OR_NAME", help=say("help-machine"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=say(f"help-{name}"), description=say(f"help-{name}"))
        made.add_argument("--json", action="store_true", help=say("help-json"))
        return made

    def with_machine(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
        made.add_argument("--machine", metavar="PATH_OR_NAME", default=argparse.SUPPRESS, help=say("help-machine"))
        return made

    def with_answers(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
        made.add_argument("--template", required=True, metavar="ID", help=say("help-template"))
        made.add_argument("--answers", required=True, metavar="FILE", help=say("help-answers"))
        made.add_argument("--python", metavar="PATH", help=say("help-python"))
        made.add_argument("--no-disk-check", action="store_true", help=say("help-no-disk-check"))
        return with_machine(made)

    with_machine(command("survey")).add_argument("--record", metavar="DIR", help=say("help-record"))
    _add_check(with_machine(command("check")), say)
    explain = command("explain")
    explain.add_argument("log", metavar="FILE_OR_-", help=say("help-log"))
    explain.add_argument(
        "--machine", metavar="PATH_OR_NAME", default=argparse.SUPPRESS, help=say("help-machine-of-log")
    )
    with_answers(command("plan"))
    generate = with_answers(command("generate"))
    generate.add_argument("--out", required=True, metavar="DIR", help=say("help-out"))
    generate.add_argument("--overwrite", action="store_true", help=say("help-overwrite"))
    _add_run(command("run"), say)
    command("templates").add_argument("id", nargs="?", metavar="ID", help=say("help-template"))
    _add_monitor(with_machine(command("monitor")), say)
    _add_memory(with_machine(command("memory")), lambda name: sentence(Message(f"memory.{name}")).replace("%", "%%"))
    _add_environment(command("env"), say)
    facts = command("facts")
    facts.add_argument("--refresh", action="store_true", help=say("help-refresh"))
    facts.add_argument("--python", metavar="PATH", help=say("help-python-of-pip"))
    command("self-test")
    return parser


def _add_check(made: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    made.add_argument("--python", metavar="PATH", help=say("help-python"))
    made.add_argument("--tensorflow", metavar="VERSION", help=say("help-tensorflow"))
    made.add_argument("--all-releases", action="store_true", help=say("help-all-releases"))
    made.add_argument("--assume", metavar="KEY=VALUE", action="append", default=[], help=say("help-assume"))
    made.add_argument("--prove", action="store_true", help=say("help-prove"))
    made.add_argument("--wake", action="store_true", help=say("help-wake"))
    made.add_argument("--time-limit", type=float, metavar="S", help=say("help-prove-time-limit"))


def _add_run(made: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    made.add_argument("folder", metavar="DIR", help=say("help-bundle"))
    made.add_argument("--python", metavar="PATH", help=say("help-python"))
    made.add_argument("--smoke", action="store_true", help=say("help-smoke"))
    made.add_argument("--time-limit", type=float, default=1800.0, metavar="S", help=say("help-time-limit"))


def _add_monitor(made: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    made.add_argument("--once", action="store_true", help=say("help-once"))
    made.add_argument("--interval", type=float, default=1.0, metavar="S", help=say("help-interval"))
    made.add_argument("--duration", type=float, metavar="S", help=say("help-duration"))
    made.add_argument("--record", metavar="FILE", help=say("help-record-file"))


def _add_memory(made: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    made.description = say("help-long")
    made.add_argument("--model", required=True, metavar="FILE.keras_OR_MODULE:FUNCTION", help=say("help-model"))
    made.add_argument("--batch", required=True, metavar="N", help=say("help-batch"))
    made.add_argument("--precision", default="float32", metavar="P", help=say("help-precision"))
    made.add_argument("--optimizer", default="adam", metavar="O", help=say("help-optimizer"))
    made.add_argument("--jit", action="store_true", help=say("help-jit"))
    made.add_argument("--input-shape", action="append", default=[], metavar="SIZES", help=say("help-input-shape"))
    made.add_argument("--python", metavar="PATH", help=say("help-python"))
    made.add_argument("--time-limit", type=float, default=900.0, metavar="S", help=say("help-time-limit"))


def _add_environment(made: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    actions = made.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)

    def action(name: str) -> argparse.ArgumentParser:
        text = say(f"help-env-{name}")
        added = actions.add_parser(name, help=text, description=text)
        added.add_argument("--json", action="store_true", help=say("help-json"))
        return added

    create = action("create")
    create.add_argument("folder", metavar="DIR", help=say("help-env-folder"))
    create.add_argument("--tensorflow", metavar="VERSION", help=say("help-env-tensorflow"))
    create.add_argument("--python", metavar="PATH_OR_VERSION", help=say("help-env-python"))
    create.add_argument("--index-url", metavar="U", help=say("help-env-index-url"))
    create.add_argument("--wheelhouse", metavar="DIR", help=say("help-env-wheelhouse"))
    create.add_argument("--lock", metavar="FILE", help=say("help-env-lock"))
    create.add_argument("--dry-run", action="store_true", help=say("help-env-dry-run"))
    create.add_argument("--wake", action="store_true", help=say("help-env-wake"))
    create.add_argument("--machine", metavar="PATH_OR_NAME", default=argparse.SUPPRESS, help=say("help-machine"))
    action("remove").add_argument("folder", metavar="DIR", help=say("help-env-made-folder"))
    action("leftovers").add_argument("--clean", action="store_true", help=say("help-env-clean"))
