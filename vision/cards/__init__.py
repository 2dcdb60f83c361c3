"""From indices to cards: which belong together, where the table's plane lies, and several photos as one table."""
