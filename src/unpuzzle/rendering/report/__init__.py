"""The report of an experiment as a page, as files of figures, and in notebooks.

page.py        the page, and files of figures               report.html, report.css, report.js    its frame
summary.py     its tables of figures                        listing.py    the runs and their logs, packed
plots.py       the plots, by matplotlib                     inline.py     plots as parts of a page; the colours
scatter.py     two planners against each other, chosen by the reader

matplotlib is loaded only where plots are drawn, and its global state (pyplot) never.
"""

from unpuzzle.rendering.report.page import figure_files, report_page

__all__ = ["figure_files", "report_page"]
