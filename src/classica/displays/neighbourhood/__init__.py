"""What is near what: neighbours, Voronoi cells, k-d trees, many dimensions."""
