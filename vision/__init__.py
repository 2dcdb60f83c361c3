"""From a photo to a reading: detection, reading, layout and decoding; uses the solver's vocabulary."""
