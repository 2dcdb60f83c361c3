"""The network that reads faces."""
