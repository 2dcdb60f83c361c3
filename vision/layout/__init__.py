"""What is seen on a table becomes a game's position: one module for each game, and what they share."""
