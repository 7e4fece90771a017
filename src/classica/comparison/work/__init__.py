"""The work of a comparison: units, judging, scores, and the files of a run folder."""
