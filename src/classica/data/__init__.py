"""Tables: from what was read to typed columns, and what can be said about them.

`decide_types` makes a typed `Table` of a raw one; its `Schema` holds every decision and types later tables
the same way. `profile` says what to look at, `TableEncoder` makes numbers of what a learner does not take.
"""

from classica.data.builtin import BuiltinTable as BuiltinTable
from classica.data.builtin import builtin_tables as builtin_tables
from classica.data.builtin import load_table as load_table
from classica.data.column_schema import ColumnSchema as ColumnSchema
from classica.data.decide_types import decide_types as decide_types
from classica.data.encoder import TableEncoder as TableEncoder
from classica.data.finding import Finding as Finding
from classica.data.profile import Profile as Profile
from classica.data.profile import profile as profile
from classica.data.raw_table import Declared as Declared
from classica.data.raw_table import RawTable as RawTable
from classica.data.schema import Schema as Schema
from classica.data.table import Table as Table
from classica.data.write_csv import write_csv as write_csv
