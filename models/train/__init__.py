"""Training of the networks; the only package that imports torch and ultralytics at module level."""
