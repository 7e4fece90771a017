"""What people see: the command line, and later the report and the web page."""
