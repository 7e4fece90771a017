"""The report of a comparison: one HTML file that needs no other file."""

from classica.interfaces.report.page import report_html as report_html
from classica.interfaces.report.page import write_report as write_report
from classica.interfaces.report.runs_page import runs_html as runs_html
from classica.interfaces.report.runs_page import write_runs_report as write_runs_report
