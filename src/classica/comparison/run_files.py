"""The files of a comparison in its run folder, besides those of the run itself."""

TABLE_FILE = "table.parquet"
SCHEMA_FILE = "schema.json"
ABOUT_FILE = "comparison.json"
