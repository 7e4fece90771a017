"""Findings about tables: every module of this folder is imported, and every rule in it is a finding."""
