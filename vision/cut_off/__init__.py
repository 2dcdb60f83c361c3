"""What the edge of the pictures may cut off: what is not shown is not empty, and is asked about."""

from vision.cut_off.ask import ask_about_cut_off

__all__ = ["ask_about_cut_off"]
