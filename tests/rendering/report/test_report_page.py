"""The page of a report, in a real browser and as text."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.browser import LOOKS, Window
from support.runs import every_kind, made, noisy, save
from unpuzzle.experiments.differences import Changes, Pace
from unpuzzle.experiments.measures import OUTCOMES
from unpuzzle.experiments.reporting import report
from unpuzzle.rendering.report_figures import IN_THE_DARK, INK, LINES, MARKERS, OF_OUTCOME, PAPER, SERIES, series
from unpuzzle.rendering.report_tables import change_table, pace_table
from unpuzzle.rendering.reports import ROOM, Logs, _css, figure_files, html_of, report_page
from unpuzzle.rendering.themes import contrast


def written(folder: Path, runs: list[Any], compare: Sequence[Any] = ()) -> Path:
    path = save(folder / "runs.jsonl", runs)
    made_report = report(runs, title="Trial <1> & more", compare=compare)
    page = folder / "report.html"
    page.write_text(report_page(made_report, logs=Logs.beside({str(path): runs})), encoding="utf-8")
    return page


def opened(browser: Any, page: Path, **options: Any) -> Window:
    window = Window(browser, **options)
    window.open(page.as_uri())
    return window


def told(page: Any, words: str) -> None:
    """Wait until the page has shown a pair."""
    page.locator("#verdict", has_text=words).wait_for()


@pytest.fixture(scope="module")
def window(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    window = opened(browser, written(tmp_path_factory.mktemp("report"), every_kind()))
    yield window
    assert not window.errors
    assert [url for url in window.requests if not url.startswith("file:")] == []
    assert len(window.requests) == 1


def test_the_page_is_complete_and_loads_nothing(window: Window) -> None:
    page = window.page
    assert page.title() == "Trial <1> & more"
    headings = page.locator("h2").all_inner_texts()
    assert headings[0] == "Faults"
    first = page.locator("section").first.locator("tbody th").all_inner_texts()
    assert [*dict.fromkeys(first)] == ["contradiction", "invalid plan", "error"]
    assert page.locator("figure:visible svg").count() == 4
    for svg in page.locator("figure:visible svg").all():
        assert svg.get_attribute("aria-label")
        box = svg.bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
    assert page.locator("#pair-both use").count() > 10
    assert page.locator("b, i").count() == 0  # markup in names and messages stays text
    assert "<b>'fast'&</b>" in page.locator("body").inner_text()


def test_the_table_is_filtered_and_sorted(window: Window) -> None:
    page = window.page
    rows = page.locator("#table tbody tr")
    assert rows.count() == len(every_kind())
    page.fill("#find", "domain-1 LAMA")
    assert 0 < rows.count() < 12
    assert all("lama" in text and "domain-1" in text for text in rows.all_inner_texts())
    page.fill("#find", "")
    page.select_option("#of-outcome", label="invalid plan")
    assert rows.count() == 1
    page.select_option("#of-outcome", "")
    page.click("#table thead button:text('cost')")
    costs = [int(text) for text in rows.locator("td:nth-child(6)").all_inner_texts() if text != "–"]
    assert costs == sorted(costs)
    page.click("#table thead button:text('cost')")
    assert page.locator("#table th[aria-sort=descending]").count() == 1
    costs = [int(text) for text in rows.locator("td:nth-child(6)").all_inner_texts() if text != "–"]
    assert costs == sorted(costs, reverse=True)


def test_a_log_is_a_click_away(window: Window) -> None:
    page = window.page
    page.fill("#find", "native p07")
    page.click("#table tbody button")
    page.wait_for_selector("dialog[open]")
    assert "search began on p07" in page.inner_text("#details-log")
    assert "<script>alert(1)</script>" in page.inner_text("#details-log")
    assert "unpuzzle 0.8.2" in page.inner_text("#details-about")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.fill("#find", "")


def test_the_reader_chooses_two_planners_and_a_measure(window: Window) -> None:
    page = window.page
    page.select_option("#first", label="native")
    page.select_option("#second", label="lama")
    page.select_option("#measure", label="cost")
    told(page, "cost")
    assert page.locator("figure.scatter:visible").count() == 1
    assert {"lama: cost", "native: cost"} <= {text.strip() for text in page.locator("#pair text").all_text_contents()}
    ratio = next(
        each
        for each in report(every_kind()).ratios
        if (each.first, each.second, each.measure) == ("lama", "native", "cost")
    )
    assert page.locator("#pair-both use").count() == ratio.tasks
    assert f"native / lama, cost: geometric mean {ratio.geometric_mean:.3g}" in page.inner_text("#verdict")
    assert page.locator("[data-measure]:visible").count() == 1
    assert page.locator("#pair-both use title").first.text_content().startswith("domain-")
    page.select_option("#second", label="native")
    told(page, "one planner")
    page.select_option("#measure", "cpu")


def test_marks_stand_where_the_library_puts_them(window: Window) -> None:
    """The same task has the same place in the page and in the file of the pair."""
    places = re.compile(r'<use [^>]*x="([\d.]+)" y="([\d.]+)"')
    file = figure_files(report(every_kind()))["scatter-cpu-lama-native.svg"]
    window.page.select_option("#first", label="lama")
    window.page.select_option("#second", label="native")
    told(window.page, "native / lama, proc")
    drawn = file[file.index('id="both"') : file.index('id="alone"')]
    expected = sorted((float(x), float(y)) for x, y in places.findall(drawn))
    found = sorted(
        (float(use.get_attribute("x")), float(use.get_attribute("y")))
        for use in window.page.locator("#pair-both use").all()
    )
    assert found == expected


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with everything that a report may have."""
    old = noisy({"a": 1.0, "b": 1.0}, seed=9, versions={"unpuzzle": "1"})
    return written(tmp_path_factory.mktemp("comparison"), [*noisy({"a": 1.0, "b": 2.0}), *every_kind()], old)


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_nobody_is_kept_out(browser: Any, comparison: Path, scheme: str, width: int) -> None:
    sync = pytest.importorskip("axe_playwright_python.sync_playwright")
    window = opened(browser, comparison, color_scheme=scheme, viewport={"width": width, "height": 800})
    found = sync.Axe().run(window.page).response["violations"]
    assert not [each["id"] for each in found if each["impact"] in ("serious", "critical")]
    assert window.run("() => document.documentElement.scrollWidth <= innerWidth")
    assert not window.errors
    window.context.close()


def test_many_planners_fit(browser: Any, tmp_path: Path) -> None:
    window = opened(browser, written(tmp_path, noisy({f"planner {n}": 1 + n for n in range(12)}, repeat=1)))
    assert window.page.locator("#first option").count() == 12
    window.page.select_option("#first", "11")
    window.page.select_option("#second", "4")
    told(window.page, "planner 9 / planner 2")
    assert window.page.locator("#pair-both use").count() == 12
    assert not window.errors
    window.context.close()


@pytest.mark.parametrize(
    "runs",
    [
        [made(status="timeout")],
        [made()],
        [made(cost=0, seconds=0.0)],
        [made(status="error", message="x" * 5000)],
        [made("\ud800日本\u202e", "\ud800", domain="é\0"), made("b", "\ud800", domain="é\0")],
        [made("$x^2$_"), made("$\\frac$")],
        [made(cost=2**62), made("b", cost=1)],
        [made(), made("b", status="unsolvable")],
    ],
)
def test_strange_runs_have_a_page(browser: Any, tmp_path: Path, runs: list[Any]) -> None:
    page = tmp_path / "report.html"
    page.write_bytes(report_page(report(runs)).encode("utf-8", "replace"))
    window = Window(browser)
    window.open(page.as_uri())
    assert window.page.locator("#table tbody tr").count() == len(runs)
    assert not window.errors
    window.context.close()
    assert figure_files(report(runs))


def test_no_log_is_read_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    runs = [made(log="../secret"), made(log=str(tmp_path / "secret")), made(log=".."), made(log="link")]
    path = tmp_path / "runs.jsonl"
    save(path, runs, logs=False)
    (tmp_path / "runs.logs").mkdir()
    (tmp_path / "runs.logs" / "link").symlink_to(tmp_path / "secret")
    logs = Logs.beside({str(path): runs})
    assert [logs.text(run, 100) for run in runs] == ["", "", "", ""]


def test_a_long_log_loses_its_middle(tmp_path: Path) -> None:
    run = made(log="log")
    path = save(tmp_path / "runs.jsonl", [run])
    (tmp_path / "runs.logs" / "log").write_text("begin" + "x" * 100_000 + "end")
    text = Logs.beside({str(path): [run]}).text(run, 3000)
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "97,008 bytes are left out" in text


def test_logs_fit_into_the_page(tmp_path: Path) -> None:
    """Even those that cannot be packed."""
    runs = [made("a", f"p{number}", log=f"log{number}") for number in range(100)]
    path = save(tmp_path / "runs.jsonl", runs)
    from random import Random

    for run in runs:
        (tmp_path / "runs.logs" / str(run.log)).write_bytes(Random(run.log).randbytes(60_000))
    page = report_page(report(runs), logs=Logs.beside({str(path): runs}))
    assert 300_000 < len(page.encode()) < ROOM + 600_000


def test_equal_runs_give_equal_pages_and_files() -> None:
    runs = every_kind()
    assert report_page(report(runs)) == report_page(report(runs))
    assert figure_files(report(runs)) == figure_files(report(runs))


def test_the_planners_of_the_plot_are_chosen_above_it() -> None:
    """Those that solve most, by time."""
    runs = [made(name, task) for name in "abc" for task in ("p1", "p2") if (name, task) != ("b", "p2")]
    html = report_page(report(runs))
    assert re.findall(r'selected value="(\w+)"', html) == ["0", "2", "cpu"]
    assert "c / a, processor time: geometric mean 1" in html


def test_what_is_worse_than_before_is_grave() -> None:
    old = [made(task="p1"), made(task="p2", status="timeout")]
    changes = report([made(task="p1", status="timeout"), made(task="p2")], compare=old).changes
    assert changes is not None
    rows = html_of(change_table(changes))
    assert re.findall(r'<tr( class="grave")?><th scope="row">(lost|gained)<', rows) == [
        (' class="grave"', "lost"),
        ("", "gained"),
    ]
    pace = Pace("a", 2, 1.5, 1.2, 1.8, noise=False, old_coverage=2, new_coverage=2)
    table = html_of(pace_table(Changes((pace, pace.replace(noise=True)), (), ())))
    assert re.findall('<td class="words">(.*?)<', table) == ["more than noise", "noise explains it"]


def test_figures_are_files_of_their_own() -> None:
    files = figure_files(report(every_kind()))
    assert {"outcomes.svg", "cactus.svg", "anytime.svg", "runs.csv", "ratios.csv", "planners.tex"} <= set(files)
    assert "scatter-cpu-lama-native.svg" in files
    assert "scatter-cpu-b-fast-b-lama.svg" in files
    for name, text in files.items():
        assert text.startswith("<?xml") if name.endswith(".svg") else text.count("\n") > 1
    assert files["runs.csv"].count("\n") == len(every_kind()) + 1


def test_colours_can_be_told_from_the_page_and_series_by_shape() -> None:
    for colour in SERIES:
        assert contrast(colour, PAPER) >= 3
        assert contrast(IN_THE_DARK[colour], IN_THE_DARK[PAPER]) >= 3
    for dark in (False, True):
        ink, paper = (IN_THE_DARK[colour] if dark else colour for colour in (INK, PAPER))
        assert contrast(ink, paper) >= 7
    shapes = {(look["marker"], look["linestyle"]) for look in map(series, range(len(MARKERS) * len(LINES)))}
    assert len(shapes) == len(MARKERS) * len(LINES)
    assert set(OF_OUTCOME) == set(OUTCOMES)
    assert len(set(OF_OUTCOME.values())) == len(OUTCOMES)


def test_a_theme_can_be_fixed() -> None:
    made_report = report([made(), made("b")])
    assert "prefers-color-scheme" in report_page(made_report)
    assert "prefers-color-scheme" not in report_page(made_report, theme="dark")
    assert f"--paper:{IN_THE_DARK[PAPER]}" in report_page(made_report, theme="dark")


def test_files_of_figures_are_light_and_dark() -> None:
    cactus = figure_files(report(every_kind()))["cactus.svg"]
    assert ' stroke="#2a6fd6"' in cactus, "for programs that know no style sheets"
    dark = cactus.partition("@media (prefers-color-scheme:dark){")[2].partition("</style>")[0]
    assert '[stroke="#2a6fd6"]{stroke:#6aa6f5}' in dark
    assert "style=" not in cactus, "a page may forbid styles, and a rule may override attributes"


def test_the_colours_of_a_page_are_light_dark_or_as_readers_prefer() -> None:
    light, dark = f"--paper:{PAPER}", f"--paper:{IN_THE_DARK[PAPER]}"
    for theme, has in (("light", (True, False)), ("dark", (False, True)), ("auto", (True, True))):
        css = _css(theme)
        assert (light in css, dark in css, "prefers-color-scheme" in css) == (*has, theme == "auto")


def test_the_marks_of_two_planners_are_those_of_the_tasks_that_one_of_them_solved() -> None:
    runs = [made("a", f"p{n}", "solved" if n < 4 else "timeout", seconds=n + 1.0) for n in range(6)]
    runs += [made("b", f"p{n}", "solved" if n not in (3, 5) else "timeout", seconds=2.0) for n in range(6)]
    runs += [made("b", "p9")]  # a never tried it
    svg = figure_files(report(runs))["scatter-cpu-a-b.svg"]
    both, _, alone = svg[svg.index('id="both"') :].partition('id="alone"')
    assert re.findall("<title>(.*?)</title>", both) == ["d p0", "d p1", "d p2"]
    assert re.findall("<title>(.*?)</title>", alone) == ["d p3", "d p4"]


def test_there_is_a_scatter_for_each_measure_and_pair_with_runs() -> None:
    names = figure_files(report([made(name, cost=3) for name in "abc"]))
    scatters = {name.removesuffix(".svg") for name in names if name.startswith("scatter-cost-")}
    assert scatters == {"scatter-cost-a-b", "scatter-cost-a-c", "scatter-cost-b-c"}


def test_planners_whose_names_files_cannot_have_get_other_ones() -> None:
    names = figure_files(report([made(name) for name in ("a/b", "a b", "日本", "../x")]))
    scatters = sorted(name.removesuffix(".svg") for name in names if name.startswith("scatter-cpu-"))
    parts = {"x", "a-b", "a-b-2", "planner"}
    assert len(scatters) == 6
    assert all(any(name == f"scatter-cpu-{one}-{other}" for one in parts for other in parts) for name in scatters)
