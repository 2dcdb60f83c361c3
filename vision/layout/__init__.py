"""Seen cards to positions: one module a game."""
