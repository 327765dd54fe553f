"""Runs the keeper from its sources: ``python3 orrery_keeper.py``."""

import sys

from orrery_keeper.__main__ import main

if __name__ == '__main__':
    sys.exit(main())
