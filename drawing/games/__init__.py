"""How each game is laid out: one module for each game, with `draw_sections(position's JSON)`."""
