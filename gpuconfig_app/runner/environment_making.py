"""Carries out the commands of a plan: starts each, follows its output, ends it on request, keeps the journal.

What to show and when it is worth showing is the business of ``MakingProgress``; the proof is run by ``workbench``.
"""

from __future__ import annotations

import logging
import os
import uuid
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from gpuconfig_app.command import STDOUT, Process, end_process_tree, run_command, start_process
from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.environment_made import MakeProgress, StepProgress, StepState
from gpuconfig_app.core.environment_plan import CheckState, EnvironmentPlan, Installer, PlanStep, PythonOrigin, StepKind
from gpuconfig_app.core.errors import CommandError, StorageError, UsageError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.runner.environment_checks import cache_folder, check_folder, is_full, temporary_folder
from gpuconfig_app.runner.environment_commands import run_words
from gpuconfig_app.runner.environment_removal import (
    SCRATCH_PREFIX,
    half_downloads,
    identity_of,
    is_running,
    python_names,
)
from gpuconfig_app.runner.environment_tools import child_variables
from gpuconfig_app.runner.installer_failures import failure_sentence, telling_line
from gpuconfig_app.runner.installer_output import InstallerReader
from gpuconfig_app.runner.watched_process import start_time
from gpuconfig_app.storage.makings import Making, MakingState, load_makings, log_file, save_making
from gpuconfig_app.storage.places import Places

logger = logging.getLogger(__name__)
LOOK_EVERY_S = 0.1
GRACE_S = 2.0
# A slow line needs hours for gigabytes, and pip says nothing while one file comes.
SILENCE_LIMIT_S = 3 * 3600.0
STEP_LIMIT_S = 12 * 3600.0
_READ_BYTES = 1024**2
_OUTPUT_KEPT = 2 * 1024**2


class StepFailedError(Exception):
    """A command of the plan failed.

    Attributes:
        sentence: What happened and what to do.
        output: What it printed, the end of it.
    """

    def __init__(self, step: StepKind, sentence: Message, output: str = "", exit_code: int | None = None) -> None:
        super().__init__(sentence.id)
        self.step = step
        self.sentence = sentence
        self.output = output
        self.exit_code = exit_code


class MakingProgress:
    """Where a making stands, told at most every ``LOOK_EVERY_S``.

    Args:
        on_progress: Called with the newest state from the thread that works.
        scratch: See ``InstallerReader``.
    """

    def __init__(
        self,
        plan: EnvironmentPlan,
        clock: Clock,
        on_progress: Callable[[MakeProgress], None] | None,
        scratch: Path | None = None,
    ) -> None:
        self.reader = InstallerReader(scratch)
        self._plan = plan
        self._clock = clock
        self._on_progress = on_progress
        self._steps = {step.kind: StepProgress(kind=step.kind) for step in plan.steps}
        self._started: dict[StepKind, float] = {}
        self._message: Message | None = None
        self._is_cleaning = False

    @property
    def steps(self) -> tuple[StepProgress, ...]:
        """All steps as they stand."""
        now = self._clock.monotonic()
        return tuple(
            replace(step, elapsed_s=now - self._started[step.kind]) if step.state is StepState.RUNNING else step
            for step in self._steps.values()
        )

    def start(self, kind: StepKind, message: Message) -> None:
        """A step begins."""
        self._started[kind] = self._clock.monotonic()
        self._steps[kind] = StepProgress(kind=kind, state=StepState.RUNNING, elapsed_s=0.0)
        self._message = message
        self.tell()

    def end(self, kind: StepKind, state: StepState) -> None:
        """A step ended."""
        elapsed_s = self._clock.monotonic() - self._started.get(kind, self._clock.monotonic())
        self._steps[kind] = StepProgress(kind=kind, state=state, elapsed_s=elapsed_s)
        self.tell()

    def fail_running(self) -> None:
        """The step that runs failed or was ended."""
        for step in self.steps:
            if step.state is StepState.RUNNING:
                self.end(step.kind, StepState.FAILED)

    def say(self, message: Message) -> None:
        """Tell something about the running step."""
        self._message = message
        self.tell()

    def clean(self) -> None:
        """What was made is being removed."""
        self._is_cleaning = True
        self.say(Message("environment.cleaning"))

    def tell(self) -> None:
        """Hand the state out."""
        if self._on_progress is None:
            return
        state = self.reader.state(self._clock.monotonic())
        expected = self._plan.size.download_bytes
        total = round((expected.low + expected.high) / 2) if expected is not None and expected.high else None
        done, rate = state.downloaded_bytes, state.rate_bytes_per_s
        left_s = max(total - done, 0) / rate if total is not None and done is not None and rate else None
        if state.is_downloaded:
            left_s = None
        self._on_progress(
            MakeProgress(
                steps=self.steps,
                message=self._message,
                packages=state.packages,
                packages_done=state.packages_done,
                packages_total=state.packages_total,
                downloaded_bytes=done,
                download_bytes=total,
                rate_bytes_per_s=rate,
                left_s=left_s,
                lines=tuple(self.reader.lines),
                is_cleaning=self._is_cleaning,
            )
        )


@dataclass
class MakingJournal:
    """The journal of one making, written at each change.

    Attributes:
        making: As it stands.
    """

    places: Places
    making: Making

    def note(self, **changes: object) -> None:
        """Write down what is about to be, or has just been made.

        Raises:
            StorageError: It can't be written.
        """
        self.making = replace(self.making, **changes)  # type: ignore[arg-type]  # names are fields of Making
        save_making(self.places, self.making)


def begin_journal(places: Places, plan: EnvironmentPlan, clock: Clock, variables: Mapping[str, str]) -> MakingJournal:
    """Start a journal; nothing else is made yet.

    Raises:
        StorageError: It can't be written.
    """
    home = variables.get("HOME") or variables.get("USERPROFILE")
    pid = os.getpid()
    making = Making(
        id=f"{int(clock.now())}-{uuid.uuid4().hex[:8]}",
        folder=plan.order.folder,
        pid=pid,
        pid_started_at=start_time(pid),
        started_at=clock.now(),
        conda_list=str(Path(home) / ".conda" / "environments.txt") if home else None,
    )
    journal = MakingJournal(places, making)
    journal.note()
    return journal


class EnvironmentMaker:
    """Makes the folder and runs the commands up to the proof.

    Args:
        variables: The user's environment.
    """

    def __init__(
        self,
        plan: EnvironmentPlan,
        journal: MakingJournal,
        progress_of: Callable[[Path], MakingProgress],
        clock: Clock,
        control: JobControl,
        variables: Mapping[str, str],
    ) -> None:
        self._plan = plan
        self._journal = journal
        self._clock = clock
        self._control = control
        self._is_conda = plan.python is not None and plan.python.origin is PythonOrigin.CONDA
        self._scratch = self._make_scratch(variables)
        unset = [item.name for item in plan.neutralised]
        kept = child_variables(variables, unset)
        temporary = str(self._scratch)
        self._variables = {**kept, "TMPDIR": temporary, "TEMP": temporary, "TMP": temporary}
        self.progress = progress_of(self._scratch)

    def make(self) -> None:
        """Make the folder and run every command but the proof.

        Raises:
            StepFailedError: A command failed.
            UsageError: The folder is not new or empty any more.
            StorageError: Journal or folder can't be written.
            JobCancelledError: The user ended it; the process tree is ended.
        """
        self._make_folder()
        for step in self._plan.steps:
            if step.kind is StepKind.PROVE:
                continue
            self._control.check()
            if step.kind is StepKind.FETCH_PYTHON:
                self._note_pythons(step)
            if step.kind is StepKind.INSTALL and self._plan.installer is Installer.UV:
                self._note_cache()
            self.progress.start(step.kind, step.title)
            if step.kind is StepKind.MAKE and self._is_conda:
                self._leave_to_conda()
            self._run(step)
            if step.kind is StepKind.MAKE:
                self._note_identity()
            self.progress.end(step.kind, StepState.DONE)

    def _make_scratch(self, variables: Mapping[str, str]) -> Path:
        place = temporary_folder(variables) / f"{SCRATCH_PREFIX}{self._journal.making.id}"
        self._journal.note(scratch=str(place))
        try:
            place.mkdir(mode=0o700)
        except OSError as error:
            raise StorageError(
                Message("environment.no-temporary", {"path": str(place.parent), "detail": error.strerror or str(error)})
            ) from error
        return place

    def _make_folder(self) -> None:
        folder = Path(self._plan.order.folder)
        self._refuse_another_maker(folder)
        check = check_folder(folder)
        if check.state is CheckState.BAD:
            raise UsageError(check.text)
        if folder.is_dir():
            self._note_identity(was_there=True)
            return
        missing = [folder]
        while not os.path.lexists(missing[-1].parent):
            missing.append(missing[-1].parent)
        self._journal.note(made_parents=tuple(str(parent) for parent in missing[1:]))
        try:
            for place in reversed(missing):
                place.mkdir()
        except OSError as error:
            params = {"path": str(folder), "detail": error.strerror or str(error)}
            raise StorageError(Message("environment.folder-cannot-make", params)) from error
        self._note_identity(was_there=False)

    def _refuse_another_maker(self, folder: Path) -> None:
        """Give way to a making in the same folder; our journal lies there already, so of two at least one sees it."""
        own, place = self._journal.making.id, os.path.realpath(folder)
        for other in load_makings(self._journal.places):
            is_other = other.id != own and other.state is MakingState.MAKING and is_running(other)
            if is_other and os.path.realpath(other.folder) == place:
                raise UsageError(Message("environment.folder-being-made", {"path": str(folder)}))

    def _leave_to_conda(self) -> None:
        """Take our empty folder away again: mamba refuses one that is there."""
        self._journal.note(is_conda=True)  # not before: what stands there until now is nobody's but the user's
        if not self._journal.making.was_there:
            self._journal.note(folder_device=None, folder_inode=None)
            try:
                Path(self._plan.order.folder).rmdir()
            except OSError as error:
                params = {"path": self._plan.order.folder, "detail": error.strerror or str(error)}
                raise StorageError(Message("environment.folder-cannot-make", params)) from error

    def _note_identity(self, *, was_there: bool | None = None) -> None:
        """Write down which folder it is; the program that made the environment may have replaced it."""
        found = identity_of(Path(self._plan.order.folder))
        if found is None:
            raise StepFailedError(StepKind.MAKE, Message("environment.failed-folder-gone"))
        kept = self._journal.making.was_there if was_there is None else was_there
        self._journal.note(folder_device=found[0], folder_inode=found[1], was_there=kept)

    def _note_pythons(self, step: PlanStep) -> None:
        """Write down which Pythons uv has already, before it brings another."""
        words = step.command.words if step.command is not None else ()
        try:
            told = run_command([words[0], "python", "dir"], time_limit_s=20.0, environment=self._variables)
        except CommandError as error:
            raise StepFailedError(step.kind, error.message) from error
        folder = told.stdout.strip()
        if told.is_good and folder:
            before = tuple(sorted(python_names(folder)))
            self._journal.note(uv=words[0], python_version=words[-1], python_folder=folder, python_before=before)

    def _note_cache(self) -> None:
        """Write down what lies half unpacked in uv's cache from other runs."""
        cache = cache_folder(Installer.UV, self._variables)
        if cache is not None:
            self._journal.note(cache_folder=str(cache), cache_before=tuple(sorted(half_downloads(str(cache)))))

    def _run(self, step: PlanStep) -> None:
        words = run_words(self._plan, step)
        log = log_file(self._journal.places, self._journal.making.id)
        given = dict(step.command.set) if step.command is not None else {}
        try:
            with log.open("ab") as out:
                shown = step.command.posix if step.command is not None else ""
                out.write(f"$ {shown}\n".encode())
                out.flush()
                start = out.tell()
                process = start_process(
                    words, cwd=self._scratch, environment=self._variables | given, stdout=out.fileno(), stderr=STDOUT
                )
        except CommandError as error:
            raise StepFailedError(step.kind, self._not_started(words[0], error)) from error
        except OSError as error:
            raise StorageError(Message("core.cannot-write", {"path": str(log), "detail": str(error)})) from error
        try:
            self._journal.note(child_pid=process.pid, child_started_at=start_time(process.pid))
            with log.open("rb") as reading:
                reading.seek(start)
                output = self._follow(process, reading, step.kind)
        finally:
            if process.poll() is None:
                end_process_tree(process.pid, grace_s=GRACE_S)
                process.wait()
        self._journal.note(child_pid=None, child_started_at=None)
        if process.returncode != 0:
            sentence = failure_sentence(output, process.returncode)
            places = (Path(self._plan.order.folder), self._scratch)
            if sentence.id == "environment.failed-no-pip" and any(map(is_full, places)):
                sentence = Message("environment.failed-disk-full", sentence.params)
            if step.kind is StepKind.FETCH_PYTHON:
                sentence = Message("environment.failed-fetch-python", {"detail": telling_line(output)})
            raise StepFailedError(step.kind, sentence, output, process.returncode)
        self._check_result(step, output)

    def _follow(self, process: Process[bytes], reading: BinaryIO, kind: StepKind) -> str:
        output = ""
        decoder = getincrementaldecoder("utf-8")("replace")
        started = spoke = self._clock.monotonic()
        while True:
            is_over = process.poll() is not None
            piece = decoder.decode(reading.read(_READ_BYTES))
            now = self._clock.monotonic()
            if piece:
                spoke = now
                output = (output + piece)[-_OUTPUT_KEPT:]
                self.progress.reader.feed(piece, self._clock.now())
            self.progress.tell()
            if is_over and not piece:
                self.progress.reader.finish(self._clock.now())
                return output
            if now - spoke > SILENCE_LIMIT_S or now - started > STEP_LIMIT_S:
                minutes = round((now - spoke if now - spoke > SILENCE_LIMIT_S else now - started) / 60)
                raise StepFailedError(kind, Message("environment.failed-silent", {"minutes": minutes}), output)
            if not is_over and self._control.wait_cancelled(LOOK_EVERY_S):
                self._control.check()

    def _check_result(self, step: PlanStep, output: str) -> None:
        """A program that says it succeeded must have made what it was for."""
        if step.kind is StepKind.MAKE and not os.path.lexists(self._plan.interpreter):
            sentence = Message("environment.failed-no-interpreter-made", {"path": self._plan.interpreter})
            raise StepFailedError(step.kind, sentence, output, 0)

    def _not_started(self, program: str, error: CommandError) -> Message:
        """One sentence for a program that was there when the plan was made."""
        if not os.path.lexists(program) and os.path.isabs(program):  # noqa: PTH117  # a name is no path
            return Message("environment.failed-vanished", {"path": program})
        return error.message
