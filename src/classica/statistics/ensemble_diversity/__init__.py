"""How different the members of an ensemble are, and what their vote is worth."""
