"""Ensembles: bagging, forests, boosting, votes and the weighted majority."""
