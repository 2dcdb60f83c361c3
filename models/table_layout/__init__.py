"""The network that tells game, zones and neighbours."""
