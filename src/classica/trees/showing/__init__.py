"""Trees as text, pictures, JSON, SQL and Python."""
