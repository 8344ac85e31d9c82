# SPDX-License-Identifier: GPL-2.0-or-later
"""What testsuite/run starts when the machine is set up."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from runner.cli import main  # noqa: E402  (the path has to be set first)

if __name__ == "__main__":
    sys.exit(main())
