"""The widget texts in Chinese: collected from the code, completed by people, compiled for Qt.

    python tests/ui/translations.py update              collect new texts, drop vanished ones, compile
    python tests/ui/translations.py open [AREA]         print what has no translation yet
    python tests/ui/translations.py fill < PAIRS        fill in: "English<TAB>Chinese" a line, or
                                                        "Context::English<TAB>Chinese" for one class only
    python tests/ui/translations.py compile             only compile

One ``.ts`` file for each part of the window (area), so that several people can work at once; all become one ``.qm``.
English has a file too, only for plurals.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
UI = ROOT / "gpuconfig_app" / "ui"
FOLDER = ROOT / "resources" / "i18n"
CHINESE = "zh_CN"
ENGLISH = "en"
LANGUAGES = (CHINESE, ENGLISH)


def areas() -> dict[str, list[Path]]:
    """Source files of each area: one for each page and folder of the window, ``shell`` for the rest."""
    found: dict[str, list[Path]] = {}
    for path in sorted(UI.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in ("tr(", "TRANSLATE", "translate(")):
            found.setdefault(area_of(path), []).append(path)
    return found


def area_of(path: Path) -> str:
    """Area of one source file."""
    parts = path.relative_to(UI).with_suffix("").parts
    if parts[0] == "pages" and len(parts) > 1 and parts[1] != "__init__":
        return parts[1].removesuffix("_page")
    return parts[0] if len(parts) > 1 and parts[0] != "pages" else "shell"


def collect(folder: Path, area: str, files: list[Path], language: str) -> Path:
    """Merge the texts of an area into its ``.ts`` file; gives the file."""
    target = folder / f"{area}_{language}.ts"
    _run(
        "lupdate",
        *[str(path) for path in files],
        *("-ts", str(target), "-no-obsolete", "-locations", "none", "-sort-messages"),
        *("-source-language", "en", "-target-language", language),
    )
    return target


def compile_all(source: Path, target: Path, language: str) -> Path:
    """Compile every ``.ts`` file of a language into one ``.qm``; gives the file."""
    made = target / f"gpuconfig_{language}.qm"
    files = sorted(str(path) for path in source.glob(f"*_{language}.ts"))
    _run("lrelease", "-silent", "-nounfinished", *files, "-qm", str(made))
    return made


def unfinished(path: Path) -> list[str]:
    """English texts of a ``.ts`` file that have no finished translation; for English only plurals count."""
    return [text for message, text in _messages(ET.parse(path)) if not _is_finished(message)]


def texts(path: Path) -> set[tuple[str, str]]:
    """Every (context, English text) of a ``.ts`` file."""
    found = set()
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        found |= {(name, message.findtext("source") or "") for message in context.iter("message")}
    return found


def update() -> None:
    """Collect, fill English plurals, compile."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    current = areas()
    for area, files in current.items():
        for language in LANGUAGES:
            path = collect(FOLDER, area, files, language)
            if language == ENGLISH:
                _keep_plurals(path)
    for path in FOLDER.glob("*.ts"):
        if path.stem.removesuffix(f"_{CHINESE}").removesuffix(f"_{ENGLISH}") not in current:
            path.unlink()
    for language in LANGUAGES:
        compile_all(FOLDER, FOLDER, language)


def fill(pairs: Mapping[str, str]) -> int:
    """Fill in Chinese translations by English text, wherever it stands without one; gives how many.

    A key ``Context::text`` is for one class alone and goes before ``text``.
    """
    count = 0
    for path in sorted(FOLDER.glob(f"*_{CHINESE}.ts")):
        tree = ET.parse(path)
        changed = False
        for context in tree.getroot().iter("context"):
            name = context.findtext("name") or ""
            for message in context.iter("message"):
                text = message.findtext("source") or ""
                found = pairs.get(f"{name}::{text}", pairs.get(text))
                if found is not None and not _is_finished(message):
                    _translate(message, [found])
                    changed, count = True, count + 1
        if changed:
            _write(tree, path)
    return count


def english_plurals(text: str) -> list[str]:
    """Singular and plural of an English text: ``%n card(s)`` gives ``%n card`` and ``%n cards``."""
    return [re.sub(r"\((e?s)\)", "", text), re.sub(r"\((e?s)\)", r"\1", text)]


def _keep_plurals(path: Path) -> None:
    tree = ET.parse(path)
    for context in tree.getroot().findall("context"):
        for message in context.findall("message"):
            if message.get("numerus") == "yes":
                _translate(message, english_plurals(message.findtext("source") or ""))
            else:
                context.remove(message)
        if context.find("message") is None:
            tree.getroot().remove(context)
    _write(tree, path)


def _messages(tree: ET.ElementTree[ET.Element[str]]) -> list[tuple[ET.Element, str]]:
    return [(message, message.findtext("source") or "") for message in tree.getroot().iter("message")]


def _is_finished(message: ET.Element) -> bool:
    translation = message.find("translation")
    if translation is None or translation.get("type") is not None:
        return False
    forms = translation.findall("numerusform")
    return all(form.text for form in forms) if forms else bool(translation.text)


def _translate(message: ET.Element, forms: list[str]) -> None:
    translation = message.find("translation")
    if translation is None:
        translation = ET.SubElement(message, "translation")
    translation.attrib.pop("type", None)
    for child in list(translation):
        translation.remove(child)
    translation.text = None
    if message.get("numerus") == "yes":
        for form in forms:
            ET.SubElement(translation, "numerusform").text = form
    else:
        translation.text = forms[0]


def _write(tree: ET.ElementTree[ET.Element[str]], path: Path) -> None:
    ET.indent(tree, "    ")
    body = ET.tostring(tree.getroot(), encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def _run(tool: str, *arguments: str) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    if not program.exists():
        program = program.with_suffix(".exe")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{tool}: {done.stdout}{done.stderr}")


def main(arguments: list[str]) -> int:
    """Do what the command line asks for."""
    match arguments:
        case ["update"]:
            update()
        case ["compile"]:
            for language in LANGUAGES:
                compile_all(FOLDER, FOLDER, language)
        case ["fill"]:
            lines = [line.rstrip("\n").split("\t") for line in sys.stdin if "\t" in line]
            count = fill({line[0].replace("\\n", "\n"): line[1] for line in lines})
            sys.stdout.write(f"{count} filled in\n")
            compile_all(FOLDER, FOLDER, CHINESE)
        case ["open", *names]:
            for path in sorted(FOLDER.glob(f"*_{CHINESE}.ts")):
                if not names or path.stem.removesuffix(f"_{CHINESE}") in names:
                    sys.stdout.write("".join(f"{text}\n" for text in unfinished(path)))
        case _:
            sys.stdout.write(__doc__ or "")
            return 2
    return 0


def fresh_texts(area: str, files: list[Path]) -> set[tuple[str, str]]:
    """Texts of an area as the code has them now."""
    with tempfile.TemporaryDirectory() as folder:
        return texts(collect(Path(folder), area, files, CHINESE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
