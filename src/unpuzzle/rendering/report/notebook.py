"""A report in a notebook: its page in a frame that may run its own script and reaches nothing else."""

from __future__ import annotations

from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.rendering.report.page import report_page
from unpuzzle.rendering.svg import escaped

FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 720
"""The height of the frame, in pixels."""


def report_html(report: ExperimentReport) -> str:
    """Return the page of a report in a frame, as notebooks show it. Raises DependencyMissing without matplotlib."""
    page = report_page(report).replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.format(title=escaped(report.title), page=page, height=HEIGHT)
