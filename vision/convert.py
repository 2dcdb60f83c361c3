"""The command's old name; it goes with the next release."""

import sys

if __name__ == "__main__":
    sys.exit("error: converting labels has moved: run python -m vision.convert_labels with the same options")
