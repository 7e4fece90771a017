"""Growing trees: from a table to arrays of nodes, and rows through them."""
