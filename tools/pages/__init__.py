"""The pages under ``docs/`` that follow from the code: ``python -m tools.pages`` writes them again."""
