"""Naive Bayes for numbers, categories and missing values."""
