"""What every family stands on: checks on the way in, margins, sums that can be merged, scores of grids."""
