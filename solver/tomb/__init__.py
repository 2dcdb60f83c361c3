"""Napoleon's Tomb: `single` is the one-deck game, `double` the two-deck game."""
