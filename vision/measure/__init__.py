"""Labels, and what a folder of labelled photos tells of how well they are read."""
