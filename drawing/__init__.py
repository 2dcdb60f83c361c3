"""How cards, piles and tables are named and drawn: on the page, on photos and in notebooks. Contains no rules."""
