"""Exact solvers and simulators for card games; knows nothing of photos or pages."""
