"""Take the pictures of the studio for its page in the docs: `python scripts/make/studio_pictures.py`.

Needs the extra `studio`, Playwright and the system's Chromium. Look at the pictures before committing them.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from unpuzzle.servers.studio.server import Studio

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("storeroom", "ice-walk", "long-loads")


def main() -> None:
    """Run a studio for a few games, and take its picture in light and dark."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "puzzles"
        folder.mkdir()
        for name in GAMES:
            shutil.copy(ROOT / f"puzzlescript/games/{name.replace('-', '_')}.txt", folder)
        studio, ready = Studio(str(folder)), threading.Event()
        thread = threading.Thread(target=studio.run, args=(ready.set,))
        thread.start()
        try:
            ready.wait()
            with sync_playwright() as playwright:
                program = shutil.which("chromium") or shutil.which("google-chrome")
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                for scheme in ("light", "dark"):
                    page = browser.new_page(viewport={"width": 1200, "height": 1000}, color_scheme=scheme)
                    page.goto(studio.address)
                    page.click("#files button[title='storeroom.txt']")
                    page.click("#levels button:has-text('Three crates')")
                    page.wait_for_selector("#badges button:has-text('positions')", timeout=120_000)
                    page.click("#tab-rules")
                    page.focus("#board")
                    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
                        page.keyboard.press(key)
                    page.wait_for_selector("#panel li", timeout=120_000)
                    page.wait_for_timeout(1000)
                    page.screenshot(path=ROOT / f"docs/howto/connect/pictures/studio-{scheme}.png")
                browser.close()
        finally:
            studio.stop()
            thread.join()


if __name__ == "__main__":
    main()
