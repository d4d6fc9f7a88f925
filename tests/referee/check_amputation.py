# SPDX-License-Identifier: GPL-3.0-or-later
"""The copy of this interpreter's torch: all that a candidate may call works in it, and nothing that computes does.

check_amputation.py warpwright-amputate librecorder.so: the program asks the copy back itself, so that its word is the
answer; here is that it was given, that a process in the copy dies as it should, and which noted calls are left.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

SKIP = 77
python = os.environ.get("WARPWRIGHT_TEST_PYTHON") or sys.executable
sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "toolchain", "referee", "amputate")
found = subprocess.run([python, "-c", "import torch; print(torch.__path__[0])"], capture_output=True, text=True)
if found.returncode != 0:
    print("no torch")
    sys.exit(1 if os.environ.get("REQUIRE_TOOLS") == "1" else SKIP)

with tempfile.TemporaryDirectory() as out:
    made = subprocess.run(
        [sys.argv[1], "--python", python, "--torch", found.stdout.strip(), "--recorder", sys.argv[2],
         "--rehearsal", os.path.join(sources, "rehearsal.py"), "--out", out], capture_output=True, text=True)
    answer = json.loads(made.stdout)
    print(json.dumps({key: value for key, value in answer.items() if key != "libraries"}))
    if "stripped" in answer.get("reason", ""):
        sys.exit(SKIP)
    assert answer["status"] == "made", answer
    library = answer["libraries"][0]
    assert library["trapped"] > 50000 and answer["trappedCalls"] > 150, answer
    assert answer["survivors"] == [], answer["survivors"]
    ends = {}
    for name, text in {"moves": "torch.zeros(9).clone().tolist()", "computes": "torch.zeros(9) + 1"}.items():
        environment = {**os.environ, "PYTHONPATH": os.path.join(out, answer["farm"]), "PYTHONSAFEPATH": "1"}
        ends[name] = subprocess.run([python, "-c", "import torch; " + text], env=environment, capture_output=True).returncode
    assert ends == {"moves": 0, "computes": -signal.SIGILL}, ends
