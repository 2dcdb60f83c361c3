"""Two photos of a Makiaveli turn: the tables that go together best, how sure the change is, and was it legal?"""

from typing import Final

PHOTOS: Final = ("before", "after")
"""What the two photos are called."""
