"""The network that counts face-down cards."""
