"""Which classifier to trust on a table, and how good it really is: nested cross-validation of all of them.

compare ─► Workspace (table, settings, folds in a folder) ─► units ─► open_run ─► outcomes
                                                                                    │
             terminal, report ◄── summary.json ◄── summarise ◄── a closer look ◄────┘
"""

from classica.comparison.compared import Compared as Compared
from classica.comparison.comparing import compare as compare
from classica.comparison.comparing import resume as resume
