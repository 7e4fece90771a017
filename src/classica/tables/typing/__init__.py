"""What kind of values a column has: facts, rules, decisions and typed cells."""
