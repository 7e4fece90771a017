"""Profiles of tables."""
