"""Whatever a program prints, reading it gives an answer and stays in its folder."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.command import CommandResult, decode_output
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.target import parse_target
from gpuconfig_app.core.target_facts import Wsl
from gpuconfig_app.hardware.inside_listing import lay_out, read_listing
from gpuconfig_app.hardware.windows_facts import parse_wslconfig
from gpuconfig_app.hardware.wsl import parse_list
from gpuconfig_app.hardware.wsl_paths import to_wsl

TEXT = st.text(max_size=200)
KIND = st.sampled_from(["file", "folder", "text", "link", "home", "variable", "cache", "space", "processors", "done"])
PATH = st.text(alphabet="/.\\ab:~*\u8bad\t", max_size=30)


@given(TEXT, st.integers(-10, 300))
def test_any_list_of_distributions(text, code):
    found = parse_list(CommandResult(code, text, text))

    assert isinstance(found, Wsl)
    assert all(item.name.strip() and item.version in {1, 2} for item in found.distributions)


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_and_any_configuration_is_read(raw):
    assert isinstance(decode_output(raw), str)
    memory = parse_wslconfig(raw)
    assert memory is None or memory >= 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KIND, PATH, PATH), max_size=20))
def test_a_listing_writes_nothing_outside_its_folder(rows):
    text = "\n".join("\t".join(row) for row in rows)

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        lay_out(read_listing(text), root)

        assert [path.name for path in Path(folder).iterdir()] == ["root"]


@given(PATH, TEXT)
def test_any_path_has_another_name_or_none(path, distribution):
    found = to_wsl(path, distribution)

    assert found is None or found


@given(TEXT)
def test_any_name_that_is_a_target_names_it_again(text):
    try:
        target = parse_target(text)
    except UsageError:
        return
    assert parse_target(target.name) == target
