# SPDX-License-Identifier: GPL-3.0-or-later
"""The copy of this interpreter's torch: all that a candidate may call works in it, and nothing that computes does; so of its numpy, whose copies are laid aside.

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
    has_numpy = os.path.isdir(os.path.join(os.path.dirname(found.stdout.strip()), "numpy"))
    assert not answer.get("notNumpy") and has_numpy == any("umath" in each["name"] for each in answer["libraries"]), answer
    assert [call for call in answer["survivors"] if not call.endswith(" numpy")] == [], answer["survivors"]
    assert all(os.path.exists(os.path.join(out, each["copy"])) for each in answer["libraries"]), answer
    ends, wanted = {}, {"torch.zeros(9).clone().tolist()": 0, "torch.zeros(9) + 1": -signal.SIGILL}
    for text in wanted:
        environment = {**os.environ, "PYTHONPATH": os.path.join(out, answer["farm"]), "PYTHONSAFEPATH": "1"}
        ends[text] = subprocess.run([python, "-c", "import torch; " + text], env=environment, capture_output=True).returncode
    assert ends == wanted, ends
