"""Writing tables: rows at a time, and files that spreadsheets may open."""
