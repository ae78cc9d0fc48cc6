"""Make the font of pictures: the characters of DejaVu Sans Bold that they need.

    pip install fonttools
    python scripts/make/make_font.py DejaVuSans-Bold.ttf LICENSE_DEJAVU

With it pictures are the same on every machine; matplotlib brings both files along.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from fontTools import subset

from unpuzzle.rendering.themes import COVERED, FONT, LICENCE


def main(font: str, licence: str) -> None:
    """Write the subset and its licence into the package."""
    options = subset.Options(
        drop_tables=["FFTM", *subset.Options._drop_tables_default],
        hinting=False,
        layout_features=[],
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
        notdef_outline=True,
    )
    loaded = subset.load_font(font, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for codes in COVERED for code in codes])
    subsetter.subset(loaded)
    loaded["head"].modified = loaded["head"].created  # so that the file is the same whenever it is made
    loaded.recalcTimestamp = False
    subset.save_font(loaded, FONT, options)
    shutil.copyfile(licence, LICENCE)
    print(f"{FONT}: {Path(FONT).stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
