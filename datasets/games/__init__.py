"""Random legal positions to render: a module of each game's word with its `SCENE`, see `datasets/games/game.py`."""
