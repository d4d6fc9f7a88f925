# SPDX-License-Identifier: GPL-3.0-or-later
"""An interpreter that has torch, for checks that ctest starts with whatever python3 there is."""

import os
import pathlib
import sys


def with_torch():
    """Goes on in an interpreter that has torch: this one, the tests' one, or the one that the window sets up.

    Another one starts the program anew, with its arguments: call this before anything that is not to be done twice.
    Without any: exit code 77, which ctest takes for skipped; 1 under REQUIRE_TOOLS=1.
    """
    try:
        import torch  # noqa: F401
        return
    except ImportError:
        pass
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    # One that is there and has no torch comes by here again.
    tried = os.environ.get("TORCH_PYTHON_TRIED", "").split(os.pathsep)
    for python in (os.environ.get("WARPWRIGHT_TEST_PYTHON"), f"{data}/warpwright/env/bin/python"):
        if python and python not in tried and os.access(python, os.X_OK):
            os.environ["TORCH_PYTHON_TRIED"] = os.pathsep.join([*tried, python])
            os.execv(python, [python, *sys.argv])
    print(f"{pathlib.Path(sys.argv[0]).name}: no Python with torch was found. What to do: name one in "
          "WARPWRIGHT_TEST_PYTHON.", file=sys.stderr)
    sys.exit(1 if os.environ.get("REQUIRE_TOOLS") == "1" else 77)
