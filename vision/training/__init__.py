"""Training of the three networks; the only package that imports torch and ultralytics at module level."""
