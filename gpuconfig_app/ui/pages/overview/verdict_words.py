"""From the state to the banner: word, sentence, meta line and what the buttons do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from gpuconfig_app.core.finding import CompatReport, Proven, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.models.environment_model import shown_path

FIX = "fix"
PROVE = "prove"
SCRIPT = "script"
SCAN = "scan"
COPY = "copy"
_LONGEST = 150


@dataclass(frozen=True)
class BannerShown:
    """What the banner shows.

    Attributes:
        actions: Buttons by name, the primary one last.
        icon: Other icon than the severity's own.
    """

    severity: str
    word: str
    sentence: str = ""
    meta: str = ""
    actions: tuple[str, ...] = ()
    icon: str | None = None


class VerdictWords(QObject):
    """Makes the banner's words in the shown language.

    Args:
        text: Renders a text in the shown language.
    """

    def __init__(self, text: Callable[[Message | LocalText | None], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text

    def waiting(self, *, knows_machine: bool, is_recorded: bool) -> BannerShown:
        """Before there is a verdict."""
        if knows_machine:
            word = self.tr("Checking TensorFlow…")
            sentence = self.tr("Versions of driver, libraries and Python packages are laid side by side.")
        elif is_recorded:
            word, sentence = self.tr("Opening the recorded machine…"), ""
        else:
            word = self.tr("Looking at this machine…")
            sentence = self.tr("Asking the driver what is there. The first answer may take some seconds.")
        return BannerShown("neutral", word, sentence, icon="loader-circle")

    def silent(self, waited: str) -> BannerShown:
        """The driver does not answer."""
        return BannerShown(
            "warning",
            self.tr("The driver does not answer"),
            self.tr(
                "A question to the GPU driver has been open for {age}. Readings are the last ones known. "
                "The window and your training go on."
            ).format(age=waited),
            self.tr("The driver is asked apart from the window, so nothing blocks."),
            (COPY, SCAN),
            "hourglass",
        )

    def without_gpu(self, report: SystemReport, environment: PythonEnvironment | None) -> BannerShown:
        """No card was found."""
        meta = []
        if environment is not None and environment.tensorflow_version:
            installed = self.tr("TensorFlow {version} is installed")
            meta.append(installed.format(version=environment.tensorflow_version))
        elif environment is not None:
            meta.append(self.tr("TensorFlow is not installed"))
        flags = [flag.upper() for flag in ("avx", "avx2", "avx512f") if flag in (report.host.cpu.flags or ())]
        if flags:
            meta.append(self.tr("processor has {flags}").format(flags=", ".join(flags)))
        return BannerShown(
            "warning",
            self.tr("No GPU that TensorFlow can use"),
            self.tr("Training runs on the processor here. No graphics card for computing was found."),
            " · ".join(meta),
            (SCAN,),
            "circle-slash",
        )

    def verdict(self, compat: CompatReport, environment: PythonEnvironment | None, *, is_recorded: bool) -> BannerShown:
        """The verdict of a machine with cards."""
        severity, word = self._word(compat)
        return BannerShown(
            severity,
            word,
            self._sentence(compat),
            self._meta(compat, environment, is_recorded=is_recorded),
            self._actions(compat, is_recorded=is_recorded),
        )

    def _word(self, compat: CompatReport) -> tuple[str, str]:
        if compat.verdict is Verdict.READY:
            if compat.proven is Proven.TRUE:
                return "good", self.tr("Ready for TensorFlow")
            return "good", self.tr("Should be ready for TensorFlow")
        words = {
            Verdict.READY_WITH_NOTES: ("warning", self.tr("Ready, with a note")),
            Verdict.CPU_ONLY: ("warning", self.tr("TensorFlow will use the processor only")),
            Verdict.BLOCKED: ("blocked", self.tr("Not ready for TensorFlow")),
            Verdict.UNKNOWN: ("neutral", self.tr("A test must decide")),
        }
        return words[compat.verdict]

    def _sentence(self, compat: CompatReport) -> str:
        if compat.headline is not None:
            return self._text(compat.headline)
        if compat.primary is not None:
            text = self._text(compat.primary.text)
            return text if len(text) <= _LONGEST else self._text(compat.primary.title)
        if compat.verdict is Verdict.READY:
            if compat.proven is Proven.TRUE:
                return self.tr("A matrix product, a convolution and an XLA step really ran on the GPU.")
            return self.tr("Driver, CUDA libraries, Python and the card fit each other.")
        return ""

    def _meta(self, compat: CompatReport, environment: PythonEnvironment | None, *, is_recorded: bool) -> str:
        if compat.primary is not None and compat.primary.fixes and compat.verdict is not Verdict.READY:
            first = self._text(compat.primary.fixes[0].text)
            return self.tr("First remedy: {fix}").format(fix=first)
        parts = []
        if is_recorded and compat.proven is not Proven.TRUE:
            parts.append(self.tr("Not proven: only a run on that machine can"))
        elif compat.verdict is Verdict.READY and compat.proven is not Proven.TRUE:
            parts.append(self.tr("Not proven yet"))
        if compat.tensorflow:
            parts.append(f"TensorFlow {compat.tensorflow}")
        if environment is not None:
            parts.append(shown_path(environment))
            parts.extend(_versions(environment))
        elif compat.python_version:
            parts.append(f"Python {compat.python_version}")
        return " · ".join(parts)

    @staticmethod
    def _actions(compat: CompatReport, *, is_recorded: bool) -> tuple[str, ...]:
        if compat.verdict is Verdict.READY:
            return (SCRIPT,) if is_recorded or compat.proven is Proven.TRUE else (PROVE, SCRIPT)
        if compat.verdict is Verdict.UNKNOWN and not is_recorded:
            return (SCRIPT, PROVE)
        if compat.verdict is Verdict.READY_WITH_NOTES:
            return (FIX, SCRIPT)
        if compat.verdict is Verdict.BLOCKED:
            return (FIX,)
        return (SCRIPT, FIX)


def _versions(environment: PythonEnvironment) -> list[str]:
    """Versions of an environment that decide, in short."""
    found = [f"Python {environment.python_version}"] if environment.python_version else []
    cuda = next((value for name, value in environment.packages.items() if name.startswith("nvidia-cuda-runtime")), None)
    cudnn = next((value for name, value in environment.packages.items() if name.startswith("nvidia-cudnn")), None)
    if cuda:
        found.append("CUDA " + ".".join(cuda.split(".")[:2]))
    if cudnn:
        found.append("cuDNN " + ".".join(cudnn.split(".")[:3]))
    return found
