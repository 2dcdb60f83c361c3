"""What cards, piles and tables are called and how they look: on the page, on a photo, in a notebook. No rules."""
