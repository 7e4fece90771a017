"""From finished work to the summary: ranking, findings and sentences."""
