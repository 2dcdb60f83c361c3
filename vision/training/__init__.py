"""Training of the two networks; the only package that imports torch and ultralytics at module level."""
