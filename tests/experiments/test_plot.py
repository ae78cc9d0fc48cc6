"""The plot of a comparison: points, labels that do not cover each other, and nothing global touched."""

import subprocess
import sys
from random import Random

import pytest

from support.hiding import hide
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.rendering.report_figures import comparison, format_of, plot, styled

pytest.importorskip("matplotlib", reason="plots need matplotlib: the extra 'plots'")


def row(name: str, cost: int | None, expanded: int | None) -> ComparisonRow:
    return ComparisonRow(name, "solved", cost, cost, expanded, None, None, 0.0, None, name)


CLUSTER = [
    row("bfs", 210, 620),
    row("ucs", 210, 620),
    row("bidirectional-bfs", 210, 596),
    row("astar", 210, 549),
    row("bidirectional-greedy", 210, 532),
    row("greedy", 210, 466),
    row("dfs", 210, 390),
    row("wall-left", 598, 598),
    row("mouse (most)", 67430, 67430),
]


def drawn(rows):
    """The axes, and the boxes of the labels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = styled(lambda: comparison(rows, "title"))
    FigureCanvasAgg(figure)
    axes = figure.axes[0]
    styled(figure.canvas.draw)
    texts = axes.get_legend().get_texts() if axes.get_legend() else []
    return axes, {text.get_text(): text.get_window_extent() for text in texts}


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_formats(ending: str, start: bytes) -> None:
    assert format_of(f"a/b.{ending.upper()}") == ending
    assert plot(CLUSTER, "a title", ending).startswith(start)


def test_rows_without_figures_are_left_out_and_equal_ones_share_a_label() -> None:
    _, labels = drawn([*CLUSTER, row("loop", None, 7), row("silent", 7, None)])
    assert set(labels) == {"bfs, ucs", *(one.algorithm for one in CLUSTER[2:])}


def overlapping(boxes):
    return any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[i + 1 :])


def test_labels_of_a_cluster_do_not_cover_each_other() -> None:
    axes, labels = drawn(CLUSTER)
    assert not overlapping(list(labels.values()))
    places = axes.transData.transform([(one.cost, one.expanded) for one in CLUSTER])
    for x, y in places:
        assert axes.bbox.contains(x, y)
        assert not any(box.contains(x, y) for box in labels.values())
    whole = axes.figure.bbox
    assert all(whole.contains(box.x0, box.y0) and whole.contains(box.x1, box.y1) for box in labels.values())


def test_labels_of_random_rows_do_not_cover_each_other() -> None:
    rng = Random(1)
    for _ in range(4):
        rows = [row(f"algorithm-{i}", rng.randint(50, 90), rng.randint(100, 10_000)) for i in range(15)]
        _, labels = drawn(rows)
        assert len(labels) == 15
        assert not overlapping(list(labels.values()))


@pytest.mark.parametrize(
    ("figures", "scales"),
    [
        ([(210, 620), (210, 390)], ("linear", "linear")),
        ([(210, 620), (3000, 700)], ("log", "linear")),
        ([(5, 0), (5, 900)], ("linear", "symlog")),
        ([(0, 0)], ("linear", "linear")),
        ([], ("linear", "linear")),
    ],
)
def test_scales_fit_the_figures(figures, scales) -> None:
    axes, labels = drawn([row(f"a{i}", *both) for i, both in enumerate(figures)])
    assert (axes.get_xscale(), axes.get_yscale()) == scales
    assert ["logarithmic" in axis.get_label_text() for axis in (axes.xaxis, axes.yaxis)] == [
        scale != "linear" for scale in scales
    ]
    assert len(labels) == len(figures)


def test_names_are_drawn_as_they_are() -> None:
    odd = "command:x $a_{$ {plan}"
    _, labels = drawn([row(odd, 5, 5)])
    assert set(labels) == {odd}
    assert plot([row("\udcff\n", 5, 5)], "\udcff $x_{$").startswith(b"\x89PNG")


def test_the_same_rows_give_the_same_picture() -> None:
    assert plot(CLUSTER, "title") == plot(CLUSTER, "title")


def test_nothing_global_is_touched() -> None:
    code = (
        "import sys; from unpuzzle.rendering.report_figures import plot; "
        "before = 'matplotlib' in sys.modules; import matplotlib; "
        "settings = lambda: {key: matplotlib.rcParams[key] for key in matplotlib.rcParams if key != 'backend'}; "
        "old = settings(); plot([], 'title'); "
        "print(before, 'matplotlib.pyplot' in sys.modules, settings() == old)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False", "True"]


def test_other_formats_are_refused() -> None:
    for name in ("plot", "plot.bmp", "plot.png.txt", ""):
        with pytest.raises(UsageError, match=r"the name of a plot must end with \.png, \.svg, \.pdf"):
            format_of(name)


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "matplotlib")
    with pytest.raises(DependencyMissing, match=r"pip install 'unpuzzle\[plots\]'"):
        format_of("plot.png")
