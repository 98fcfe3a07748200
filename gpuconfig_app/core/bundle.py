"""A generated script with everything beside it, before and after it is written to disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue, Record, public_text


@dataclass(frozen=True, kw_only=True)
class BundleFile(Record):
    """One file of a bundle.

    Attributes:
        name: Relative path with ``/``, never absolute, never upwards.
        content: Text, UTF-8, ends with a newline.
        is_executable: Gets the executable bit where there is one.
    """

    name: str = public_text("")
    content: str = ""
    is_executable: bool = False


@dataclass(frozen=True, kw_only=True)
class BundleRecipe(Record):
    """What ``plan.json`` holds: enough to open the wizard again and to render the same bytes.

    Attributes:
        template_id: Template.
        template_version: Of the template when it was rendered.
        product_version: Of GPUConfig when it was rendered.
        answers: Checked answers by question id.
    """

    template_id: str = public_text("")
    template_version: int = 1
    product_version: str = public_text("")
    answers: Mapping[str, JsonValue] = field(default_factory=dict)
    dataset: DatasetFacts | None = None
    plan: TrainingPlan


@dataclass(frozen=True, kw_only=True)
class ScriptBundle(Record):
    """A rendered bundle.

    Attributes:
        files: In writing order; ``train.py`` first.
        line_answers: For lines of ``train.py`` (from 1) made from an answer: the question's id.
    """

    recipe: BundleRecipe
    files: tuple[BundleFile, ...] = ()
    line_answers: Mapping[int, str] = field(default_factory=dict)

    def file(self, name: str) -> BundleFile:
        """Give one file by name.

        Raises:
            KeyError: There is none of that name.
        """
        for file in self.files:
            if file.name == name:
                return file
        raise KeyError(name)
