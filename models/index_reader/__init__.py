"""The network that reads indices."""
