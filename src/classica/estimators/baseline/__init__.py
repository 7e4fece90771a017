"""The baseline every classifier has to beat."""
