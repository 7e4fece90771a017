"""The diversity of ensemble members and the accuracy of their vote."""
