"""From photos of a game, in the order of time, to its most likely legal history."""
