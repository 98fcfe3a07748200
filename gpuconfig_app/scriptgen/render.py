"""Render a template's files: undefined names are errors, Python is out of reach, the result is deterministic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from gpuconfig_app.resources import resource_path
from gpuconfig_app.scriptgen.quoting import comment, json_text, literal, plain_words

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment


def render(name: str, context: Mapping[str, object]) -> str:
    """Render ``resources/templates/<name>``.

    Args:
        name: ``<template>/<file>.j2``.
        context: All that the template may name.

    Returns:
        Text with one final newline and at most two blank lines together.

    Raises:
        jinja2.TemplateError: The template names something that is not there (a defect of the template).
    """
    text = _environment().get_template(name).render(context)
    text = re.sub(r"[ \t]+\n", "\n", text)
    return re.sub(r"\n{4,}", "\n\n\n", text).strip("\n") + "\n"


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import FileSystemLoader, StrictUndefined  # noqa: PLC0415  # no other verb than generate() needs it
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415  # as above

    # no escaping: nothing here is HTML, and every value passes a quoting filter
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(resource_path("templates")),
        undefined=StrictUndefined,
        autoescape=False,  # Python and Markdown, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(literal=literal, comment=comment, plain_words=plain_words, json_text=json_text)
    return environment
