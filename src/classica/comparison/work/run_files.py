"""The files of a comparison in its run folder, besides those of the run itself."""

TABLE_FILE = "table.parquet"
SCHEMA_FILE = "schema.json"
ABOUT_FILE = "comparison.json"
#: The table as the workers of a run that is going on share it, and what it is known by.
SHARED_FILE, STAMP_FILE = "table.shared", "table.stamp"
