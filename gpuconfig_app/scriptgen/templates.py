"""Find the training templates that ship: every folder of ``resources/templates`` that holds a ``template.toml``."""

from __future__ import annotations

from functools import cache

from gpuconfig_app.resources import resource_path
from gpuconfig_app.scriptgen.manifest import Template, read_manifest


@cache
def load_templates() -> tuple[Template, ...]:
    """Give all templates, sorted by id.

    Raises:
        ManifestError: One of them is broken (a defect of the installation).
    """
    return tuple(read_manifest(path) for path in sorted(resource_path("templates").glob("*/template.toml")))


def load_template(template_id: str) -> Template:
    """Give one template.

    Raises:
        KeyError: There is none of that id.
    """
    for template in load_templates():
        if template.id == template_id:
            return template
    raise KeyError(template_id)
