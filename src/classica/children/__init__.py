"""What runs inside the child processes of a run, and what both sides must agree on.

A package of its own that needs the standard library alone: a child has imported what its units ask for, and
nothing because of where this code lies. The other side is `classica.runs`.
"""
