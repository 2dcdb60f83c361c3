"""The networks as a photo meets them: each one's input cut from the photo, and what it says of it."""
