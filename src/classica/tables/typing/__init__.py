"""Infer the kinds of columns: facts, rules, decisions and typed cells."""
