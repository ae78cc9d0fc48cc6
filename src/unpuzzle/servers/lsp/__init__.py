"""Services for editors: answers about places in open texts, and jobs that an editor starts.

    language_features      the meaning and uses of a name, the words that are possible, the parts of a text, its faults
    jobs                   jobs in separate processes: solve, validate, explain, check, explore
    server                 the language server: its loop, failed requests, signals, its end; needs pygls
    messages               answers in the types of the protocol; needs pygls

Questions about one game format are answered by its `GameFormat`. The folder `settings` has texts for the settings files
of editors, which make them start the server; Visual Studio Code has an extension instead, in `editors/vscode/`.
"""

import os

EDITORS = {"neovim": "neovim.lua", "emacs": "emacs.el", "helix": "helix.toml"}
"""The file with the settings of each editor, by its name."""


def settings_of(editor: str) -> str:
    """Return the text to put into the settings file of an editor."""
    with open(os.path.join(os.path.dirname(__file__), "settings", EDITORS[editor]), encoding="utf-8") as file:
        return file.read()
