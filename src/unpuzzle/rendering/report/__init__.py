"""The report of an experiment: as a web page, as files of figures, and in notebooks.

page.py        the page, and files of figures               report.html, report.css, report.js    its frame
tables.py      its tables, for text, LaTeX and CSV, too     listing.py    the runs and their logs, packed
figures.py     figures, by matplotlib; the plot of `compare`, too       profiles.py    growth of scores with time
"""

from unpuzzle.rendering.report.page import figure_files, report_page

__all__ = ["figure_files", "report_page"]
