"""How each game lies on the table: a module of the game's word, with `draw_sections(position's JSON)`."""
