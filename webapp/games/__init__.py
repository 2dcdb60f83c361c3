"""What the page knows of each game: one module for each game with its `PAGE`, see `webapp/games/game.py`.

Games that can be played on the page are in `webapp/page/`.
"""
