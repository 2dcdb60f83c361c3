"""Tours of the page in a real browser; `__main__.py` tells what they are for."""
