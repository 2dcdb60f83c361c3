"""Photograph-like pictures of card tables, path-traced by Blender's Cycles, for measuring only.

`python -m datasets.path_traced` makes them, with the same label files as `python -m datasets`. Nothing is trained on
them, and decks, backs, table tops, ways to lay cards, light and camera are written anew: so they tell what pictures of
our own generator cannot, namely whether a reader has learned cards or just that generator.

Blender (`bpy`) is an extra of its own and imported only where a scene is built, by `blender.py`.
"""
