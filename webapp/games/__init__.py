"""What the page knows of each game: a module of the game's word with its `PAGE`, see `webapp/games/game.py`.

Where a game can be played on the page, that is in `webapp/page/`.
"""
