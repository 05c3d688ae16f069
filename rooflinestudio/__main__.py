"""``python -m rooflinestudio`` and the ``rooflinestudio`` command."""

from __future__ import annotations

import sys

from rooflinestudio.cli import main

if __name__ == "__main__":
    sys.exit(main())
