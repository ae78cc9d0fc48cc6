"""The studio as people use it, in Chromium: type, see the answer change, play, keep a file."""

import re
from pathlib import Path
from typing import Any

import pytest

from support.browser import LOOKS, Window
from support.waiting import PATIENCE, wait_until

MILLISECONDS = PATIENCE * 1000


def opened(browser: Any, studio: Any, name: str, **options: Any) -> Window:
    """Open a file in a window of its own."""
    window = Window(browser, viewport={"width": 1280, "height": 860}, **options)
    window.context.set_default_timeout(MILLISECONDS)
    window.open(studio.address)
    window.page.click(f"#files button[title='{name}']")
    await_title(window, name)
    return window


def await_title(window: Window, name: str) -> None:
    wait_until(lambda: window.page.title().startswith(name), f"{name} is open")  # the page forbids `wait_for_function`


def await_badge(window: Window, text: str) -> None:
    window.page.wait_for_selector(f"#badges button:text-is('{text}')")


def write(window: Window, text: str) -> None:
    """Replace the whole text by typing."""
    window.page.click(".ace_content")
    window.press("Control+a", "Delete")
    window.page.keyboard.insert_text(text)


def test_type_see_the_badge_change_and_play(browser: Any, studio: Any) -> None:
    window = opened(browser, studio, "levels.sok")
    await_badge(window, "1 move")
    write(window, "######\n#@$ .#\n######\n")
    await_badge(window, "2 moves")
    assert window.text("state") == "Not saved"
    window.page.focus("#board")
    window.press("ArrowRight", "d")
    wait_until(lambda: "solved" in window.text("score"), "the level is solved")
    window.press("u")
    wait_until(lambda: "solved" not in window.text("score"), "the last move is undone")
    for key in ("ArrowLeft", "ArrowRight", "u"):  # keys must not make an answer to the next text look outdated
        window.press(key)
    window.press("Escape")
    assert window.run("document.activeElement.closest('#editor') !== null")
    write(window, "######\n#@$ #\n######\n")
    await_badge(window, "no solution")
    assert "there are more boxes than goals" in window.text("about")
    assert not window.errors


def test_the_file_that_was_asked_for_last_is_shown(browser: Any, studio: Any) -> None:
    window = opened(browser, studio, "levels.sok")
    held: list[Any] = []
    window.page.route("**/open", lambda route: held.append(route))
    window.page.click("#files button[title='storeroom.txt']")
    wait_until(lambda: held or window.page.wait_for_timeout(10), "the page asks for the file")
    window.page.click("#files button[title='levels.sok']")
    with window.page.expect_response("**/open"):
        held[0].continue_()
    window.page.wait_for_timeout(100)
    assert window.page.title().startswith("levels.sok")
    assert not window.errors


def test_faults_are_shown_and_mended(browser: Any, studio: Any) -> None:
    window = opened(browser, studio, "river/domain.pddl")
    await_badge(window, "7 moves")
    text = window.run("() => ace.edit('editor').getValue()")
    write(window, text.replace(":predicates", ":predicats"))
    window.page.wait_for_selector("#faults li.error")
    assert window.page.query_selector(".squiggle.error") is not None
    window.page.click("#faults .fix")
    wait_until(lambda: window.text("fault-count") == "No faults", "the fault is mended")
    assert window.run("() => ace.edit('editor').getValue()") == text
    assert not window.errors


def test_files_are_kept_by_the_browser(browser: Any, studio: Any, tmp_path: Path) -> None:
    window = opened(browser, studio, "storeroom.txt")
    await_badge(window, "5 moves")
    window.page.click("#tab-export")
    window.page.fill("#panel input[placeholder]", "Crates")
    window.page.click("text=Show which rules fire")
    with window.page.expect_download() as download:
        window.page.click("text=Page to play on")
    assert download.value.suggested_filename == "storeroom.html"
    window.page.wait_for_selector("#panel p:first-child:text-is('storeroom.html is ready.')")  # where one looks
    download.value.save_as(tmp_path / "page.html")
    page = Window(browser)
    page.open((tmp_path / "page.html").as_uri())
    assert not page.errors
    assert not window.errors


def test_rules_that_fired_lead_to_their_lines(browser: Any, studio: Any) -> None:
    window = opened(browser, studio, "storeroom.txt")
    await_badge(window, "5 moves")
    window.page.click("#tab-rules")
    window.page.focus("#board")
    window.press("ArrowRight", "ArrowDown")
    window.page.wait_for_selector("#panel img[alt='The board after this step']")
    window.page.click("#panel button:has-text('Line')")
    line = int(re.findall(r"\d+", window.page.inner_text("#panel button"))[0])
    assert window.run("() => ace.edit('editor').getCursorPosition().row") + 1 == line
    assert window.page.is_visible("#panel img[alt='The board before this step']")
    window.page.click("#panel summary >> nth=-1")
    wait_until(lambda: window.page.locator("#panel .pictures img").count() == 4, "another step is drawn")
    assert not window.errors


def test_a_file_that_changes_elsewhere_loses_nothing(browser: Any, studio: Any, folder: Path) -> None:
    (folder / "shared.sok").write_text("#####\n#@$.#\n#####\n")
    window = opened(browser, studio, "shared.sok")
    await_badge(window, "1 move")
    (folder / "shared.sok").write_text("######\n#@$ .#\n######\n")
    await_badge(window, "2 moves")  # nothing was changed here, so theirs is shown
    write(window, "#######\n#@$  .#\n#######\n")
    await_badge(window, "3 moves")
    (folder / "shared.sok").write_text("#####\n#.$@#\n#####\n")
    window.page.click("#notice button:text-is('Keep both')")
    await_title(window, "shared-2.sok")
    assert (folder / "shared-2.sok").read_text() == "#######\n#@$  .#\n#######\n"
    assert (folder / "shared.sok").read_text() == "#####\n#.$@#\n#####\n"
    (folder / "shared-2.sok").unlink()
    window.page.click("#notice button:text-is('Save it again')")
    wait_until((folder / "shared-2.sok").exists, "the deleted file is there again")
    assert not window.errors


def test_a_new_file_begins_with_something(browser: Any, studio: Any, folder: Path) -> None:
    window = opened(browser, studio, "levels.sok")
    window.page.click("#new")
    window.page.fill("#file-name", "fresh.sok")
    window.page.click("#create")
    await_title(window, "fresh.sok")
    await_badge(window, "4 moves")
    assert (folder / "fresh.sok").exists()
    assert not window.errors


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_it_can_be_used_by_everybody(browser: Any, studio: Any, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = opened(browser, studio, "storeroom.txt", color_scheme=scheme)
    await_badge(window, "5 moves")
    window.page.set_viewport_size({"width": width, "height": 800})
    views = ["#view-text", "#view-level"] if width < 900 else []
    found = []
    for view in views or [None]:
        if view:
            window.page.click(view)
        if view != "#view-text":
            window.page.click("#tab-export")
        assert window.run("document.documentElement.scrollWidth <= innerWidth")
        violations = axe.run(window.page).response["violations"]
        found += [
            (fault["id"], fault["nodes"][0]["target"])
            for fault in violations
            if fault["impact"] in ("serious", "critical")
        ]
    assert not found
    assert all(url.startswith((studio.address, "data:", "blob:", "about:")) for url in window.requests)
    assert not window.errors


def test_the_page_ends_the_studio(browser: Any, folder: Path) -> None:
    from support.studio import running

    with running(folder) as studio:
        window = opened(browser, studio, "levels.sok")
        window.page.click("#stop")
        window.page.wait_for_selector("text=The studio has ended")
        assert all(url.startswith((studio.address, "data:", "about:")) for url in window.requests)
