"""What all tests of training share."""

from tests.own_fonts import no_package_decks, own_fonts

__all__ = ["no_package_decks", "own_fonts"]
