"""Films of a card table: frames, the way of the camera, key frames, and the one reading that they give."""
