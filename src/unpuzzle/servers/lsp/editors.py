"""Settings that make editors start the server, for the editors' settings files; stored in the folder `settings`.

Visual Studio Code has an extension instead, in `editors/vscode/`; `scripts/vsix` packs it.
"""

from __future__ import annotations

import os

EDITORS = {"neovim": "neovim.lua", "emacs": "emacs.el", "helix": "helix.toml"}
"""The file with the settings of each editor, by its name."""


def settings_of(editor: str) -> str:
    """Return the text to put into the settings file of an editor."""
    with open(os.path.join(os.path.dirname(__file__), "settings", EDITORS[editor]), encoding="utf-8") as file:
        return file.read()
