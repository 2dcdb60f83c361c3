"""Decks of cards to be rendered: from packages, and drawn from fonts."""
