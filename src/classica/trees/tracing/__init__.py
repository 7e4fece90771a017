"""How a tree came about: what every column would gain in every node."""
