"""The network that finds indices and backs."""
