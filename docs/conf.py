"""The Sphinx configuration of the site; `scripts/docs` builds the site offline, with warnings as errors.

Pages are Markdown (MyST); those that begin with the head of a notebook are executed (MyST-NB). The folder `_ext` has
the extensions, which are ours: what a page shows that is made from the code is made when the site is built.
"""

from __future__ import annotations

import sys
from pathlib import Path

from unpuzzle.version import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "unpuzzle"
author = copyright = "unpuzzle developers"
release = version = __version__
html_title = f"unpuzzle {release}"

extensions = ["myst_nb", "tutorials", "gallery", "figures", "benchmark_plots", "core_pictures", "accessible", "outside"]
exclude_patterns = ["_ext", "_made", "_static", "files"]
extensions += ["stale"]  # so that no old page stays
extensions += ["reference_pages"]  # made from the code, see `_ext/reference_pages/`
nitpicky = True
suppress_warnings = [
    "mystnb.unknown_mime_type",
    "misc.highlighting_failure",  # files with faults are shown, too
]

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120

(HERE / "_made").mkdir(exist_ok=True)
html_theme = "furo"
html_static_path = ["_static"]
html_extra_path = ["_made"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # a browser lets no file read another one
html_theme_options = {"source_repository": "", "top_of_page_buttons": []}
pygments_style = "default"
