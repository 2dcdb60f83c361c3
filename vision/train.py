"""The command's old name; it goes with the next release."""

import sys

if __name__ == "__main__":
    sys.exit(
        "error: training has moved: in a clone of the repository, run python -m models.train with the same options"
    )
