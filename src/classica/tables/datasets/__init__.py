"""Built-in datasets: those of the lectures, a few well-known ones, and generated ones."""
