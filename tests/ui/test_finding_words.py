"""Verdicts, findings and releases in the words of the window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import (
    Confidence,
    Fix,
    Outcome,
    Proven,
    ReleaseVerdict,
    Requirement,
    Severity,
    Source,
    Verdict,
)
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.ui.finding_words import (
    finding_shown,
    finding_source,
    release_shown,
    release_word,
    requirement_source,
    subject_text,
    verdict_word,
    ways_shown,
)
from tests.ui.fakes_ui import make_compat, make_finding


def release(verdict: Verdict, reason: str = "", **changes: object) -> ReleaseVerdict:
    made = ReleaseVerdict(
        release="2.21.0", series="2.21", verdict=verdict, outcome=Outcome.NATIVE, confidence=Confidence.HIGH,
        reason=LocalText(reason, reason) if reason else None,
    )  # fmt: skip
    return replace(made, **changes)


@pytest.mark.parametrize(
    ("verdict", "proven", "severity", "word"),
    [
        (Verdict.READY, Proven.TRUE, "good", "Ready for TensorFlow"),
        (Verdict.READY, Proven.FALSE, "good", "Should be ready for TensorFlow"),
        (Verdict.READY, Proven.STALE, "good", "Should be ready for TensorFlow"),
        (Verdict.READY_WITH_NOTES, Proven.FALSE, "warning", "Ready, with a note"),
        (Verdict.CPU_ONLY, Proven.FALSE, "warning", "TensorFlow will use the processor only"),
        (Verdict.BLOCKED, Proven.FALSE, "blocked", "Not ready for TensorFlow"),
        (Verdict.UNKNOWN, Proven.FALSE, "neutral", "A test must decide"),
    ],
)
def test_word_of_each_verdict(theme, verdict, proven, severity, word):
    found = verdict_word(make_compat(verdict, proven=proven))

    assert (found.severity, found.word) == (severity, word)


def test_main_cause_says_that_it_is_one(theme, state):
    shown = finding_shown(make_finding(), state.text, lambda _: None, is_primary=True)

    assert shown.lead == "Not ready · main cause"
    assert shown.commands == ("unset LD_LIBRARY_PATH",)
    assert shown.changes == "Nothing is installed."
    assert [link.text for link in shown.links] == ["Where this comes from"]


def test_remark_says_how_sure_it_is(theme, state):
    unsure = replace(make_finding(Severity.NOTE), confidence=Confidence.MEDIUM)

    assert finding_shown(unsure, state.text, lambda _: None, is_primary=False).lead == "inferred"
    assert finding_shown(unsure, state.text, lambda _: None, is_primary=True).lead == "It works · good to know"


def test_finding_without_a_way_out_has_no_empty_box(theme, state):
    shown = finding_shown(replace(make_finding(), fixes=(), source=Source()), state.text, print, is_primary=True)

    assert (shown.fix_title, shown.fix_text, shown.commands, shown.links) == ("", "", (), ())


def test_link_gives_the_finding(theme, state):
    asked = []
    shown = finding_shown(make_finding(), state.text, asked.append, is_primary=True)

    shown.links[0].on_click()

    assert asked == [make_finding()]


def test_other_ways_leave_out_the_first(theme, state):
    second = Fix(text=LocalText("use a container", "使用容器"), commands=("docker run",), shell="powershell")
    finding = replace(make_finding(), fixes=(*make_finding().fixes, second))

    ways = ways_shown(finding, state.text)

    assert [(way.text, way.commands, way.shell) for way in ways] == [("use a container", ("docker run",), "powershell")]


def test_source_says_what_was_seen_and_how_sure(theme, state):
    finding = replace(make_finding(), evidence=(Message("core.not-text", {"path": "libcudnn.so.9"}),))

    source = finding_source(finding, state.text)

    assert source.subject == "An older cuDNN is loaded first"
    assert "libcudnn.so.9" in source.seen[0]
    assert source.title == "TensorFlow, tested build configurations"
    assert source.checked == "Checked on 2026-11-30 · certain"


def test_own_reading_has_no_document(theme, state):
    requirement = Requirement(id="disk", severity=Severity.GOOD, verdict=Message("compat.requirement-fits"))

    source = requirement_source("Free disk", requirement, state.text)

    assert (source.subject, source.seen, source.title, source.checked) == ("Free disk", (), "", "")


@pytest.mark.parametrize(
    ("verdict", "severity", "word"),
    [
        (Verdict.READY, "good", "Works"),
        (Verdict.READY_WITH_NOTES, "note", "Works, with a note"),
        (Verdict.CPU_ONLY, "warning", "Processor only"),
        (Verdict.BLOCKED, "blocked", "Fails"),
        (Verdict.UNKNOWN, "neutral", "Not proven"),
    ],
)
def test_word_of_a_release(theme, state, verdict, severity, word):
    shown = release_shown(release(verdict, "why"), state.text)

    assert (shown.severity, shown.word, shown.reason) == (severity, word, "why")


def test_release_without_a_wheel_is_named_so(theme):
    assert release_word(Verdict.BLOCKED, Outcome.CANNOT_INSTALL) == "Not installable"


def test_reason_that_only_repeats_the_word_is_left_out(theme, state):
    assert release_shown(release(Verdict.READY, "Works"), state.text).reason == ""


def test_subject_names_what_was_judged(theme):
    compat = make_compat()

    assert subject_text(compat) == "~/tf/.venv/bin/python · Python 3.12.8 · TensorFlow 2.21.0"
    assert subject_text(replace(compat, python=None, tensorflow=None)) == "Python 3.12.8"


def test_texts_follow_the_language(theme, state):
    state.set_language(Language.CHINESE)

    assert finding_source(make_finding(), state.text).subject == "先加载了较旧的 cuDNN"
