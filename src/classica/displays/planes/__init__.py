"""Pictures over two columns: decision regions, margins, projections."""
