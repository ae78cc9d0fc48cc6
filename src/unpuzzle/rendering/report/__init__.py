"""The report of an experiment as a page, as files of figures, and in notebooks.

page.py        the page, and files of figures               report.html, report.css, report.js    its frame
listing.py     the runs and their logs, packed

The tables are those of `lab.reporting.making`, the figures those of `lab.figures`.
"""

from unpuzzle.rendering.report.page import figure_files, report_page

__all__ = ["figure_files", "report_page"]
