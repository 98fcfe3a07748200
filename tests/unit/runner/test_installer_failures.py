"""What installers print when they fail, and the one sentence it becomes."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.messages import Language
from gpuconfig_app.runner.installer_failures import failure_sentence, telling_line
from gpuconfig_app.workbench.text import load_texts

# Printed by pip 23 to 26, uv 0.13, conda 24 and venv; addresses and names replaced.
CASES = (
    ("disk-full", "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"),
    ("disk-full", "error: Failed to install: x.whl\n  cause: No space left on device (os error 28)"),
    ("hash", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated"),
    ("hash", "error: Hash mismatch for `six==1.17.0`"),
    ("hash-missing", "ERROR: Hashes are required in --require-hashes mode, but they are missing from some"),
    ("lock-unreadable", "ERROR: Invalid requirement: 'tensorflow=2.21' (from line 1 of lock.txt)"),
    ("lock-unreadable", "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'lock.txt'"),
    ("no-pip", "Error: Command '['/x/bin/python', '-m', 'ensurepip', '--upgrade']' returned non-zero exit status 1."),
    ("no-venv", "The virtual environment was not created successfully because ensurepip is not available."),
    ("no-interpreter", "error: No interpreter found for Python 3.9 in managed installations or search path"),
    ("refused", "ERROR: 403 Client Error: Forbidden for url: https://example.org/simple/tensorflow/"),
    ("refused", "error: HTTP status client error (401 Unauthorized) for url (https://example.org/simple)"),
    ("certificate", "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed"),
    ("network", "error: error sending request for url (https://example.org)\n  cause: dns error"),
    ("network", "NewConnectionError: Temporary failure in name resolution\nERROR: No matching distribution for x"),
    ("not-found", "ERROR: Could not find a version that satisfies the requirement tensorflow==9.9"),
    ("not-found", "  × No solution found when resolving dependencies:\n  ╰─▶ there is no version of tensorflow==9.9"),
    ("not-found", "PackagesNotFoundError: The following packages are not available from current channels: python=3.99"),
    ("read-only", "Error: [Errno 30] Read-only file system: '/mnt/x'"),
    ("permission", "Error: [Errno 13] Permission denied: '/srv/x'"),
    ("build", "error: subprocess-exited-with-error\n× Building wheel for x did not run successfully."),
    ("killed", "MemoryError"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "output"), CASES, ids=[kind for kind, _ in CASES])
def test_it_is_one_sentence_with_a_way_on(kind: str, output: str) -> None:
    sentence = failure_sentence(f"Collecting tensorflow\n{output}\n", 1)

    words = load_texts().both(sentence)
    assert sentence.id == f"environment.failed-{kind}"
    assert words.en.count("\n") == 0
    assert words.en.rstrip().endswith(".")
    assert len(load_texts().render(sentence, Language.CHINESE)) > 10


def test_a_program_that_something_ended_is_said_so() -> None:
    assert failure_sentence("Collecting tensorflow\n", -9).params == {"signal": 9}


def test_unknown_words_are_shown_as_they_are_without_passwords() -> None:
    sentence = failure_sentence("ERROR: strange thing at https://anna:secret@example.org/simple\nlast line\n", 2)

    assert sentence.id == "environment.failed-other"
    assert sentence.params["code"] == 2
    assert sentence.params["detail"] == "ERROR: strange thing at https://****@example.org/simple"


def test_nothing_said_is_no_trouble() -> None:
    assert telling_line("") == ""
    assert failure_sentence("", None).id == "environment.failed-other"
