"""English or Simplified Chinese: translators for widget texts, switched without a restart.

Widget texts are ``self.tr("…")``, translated by ``resources/i18n``; Qt's own texts come with PySide6. Sentences of
everything else are rendered by ``AppState.text``.
"""

from __future__ import annotations

import logging

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from gpuconfig_app.resources import resource_path

logger = logging.getLogger(__name__)
ENGLISH = "en"
CHINESE = "zh_CN"
SYSTEM = "system"


def resolve_language(choice: str, system: QLocale | None = None) -> str:
    """Give ``en`` or ``zh_CN`` for a setting; ``system`` follows the first language of the desktop that we have."""
    if choice in (ENGLISH, CHINESE):
        return choice
    for name in (system or QLocale.system()).uiLanguages():
        if name.startswith("zh"):
            return CHINESE
        if name.startswith("en"):
            return ENGLISH
    return ENGLISH


class LanguageSwitch(QObject):
    """Installs the translators of a language and takes away those of the former one."""

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent or app)
        self._app = app
        self._translators: list[QTranslator] = []
        self.current = ""

    def apply(self, language: str) -> None:
        """Switch; pages already built keep their texts and must be built again.

        Args:
            language: ``en`` or ``zh_CN``.
        """
        if language == self.current:
            return
        self.clear()
        self.current = language
        QLocale.setDefault(QLocale(language) if language == CHINESE else QLocale(QLocale.Language.English))
        own = str(resource_path("i18n", f"gpuconfig_{language}.qm"))
        self._install(own)
        if language == CHINESE:
            folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            self._install(f"{folder}/qtbase_zh_CN.qm")

    def clear(self) -> None:
        """Take all translators away."""
        for translator in self._translators:
            self._app.removeTranslator(translator)
        self._translators.clear()
        self.current = ""

    def _install(self, path: str) -> None:
        translator = QTranslator(self)
        if translator.load(path):
            self._app.installTranslator(translator)
            self._translators.append(translator)
        else:
            logger.warning("no translation at %s", path)


def page_title(title: str) -> str:
    """Give the title of a ``PageSpec`` in the shown language."""
    return QCoreApplication.translate("Pages", title)
