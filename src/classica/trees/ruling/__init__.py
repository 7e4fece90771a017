"""Rules from trees: conditions, lists and sets of rules, their selection."""
