"""A plug-in as others would write it: a classifier with state, explanation, trace and program beside it."""
