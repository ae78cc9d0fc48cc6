"""What editors need to know to start the server: settings to put into their own files, in the folder `settings`.

Visual Studio Code has an extension instead, in `editors/vscode/`; `scripts/vsix` packs it.
"""

from __future__ import annotations

import os

EDITORS = {"neovim": "neovim.lua", "emacs": "emacs.el", "helix": "helix.toml"}
"""By name of an editor the file with its settings."""


def settings_of(editor: str) -> str:
    """Return what goes into the settings of an editor."""
    with open(os.path.join(os.path.dirname(__file__), "settings", EDITORS[editor]), encoding="utf-8") as file:
        return file.read()
