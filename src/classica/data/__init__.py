"""Tables: from what was read to typed columns, and what can be said about them."""
