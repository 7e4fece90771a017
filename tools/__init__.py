"""What works on this repository and is no part of the package."""
