# SPDX-License-Identifier: GPL-3.0-or-later
"""judge_ready.py WRIGHT STATES: builds the real judge once, for every test program that lets it judge.

Each program has a state of its own, so that they may run side by side. On two cores a judge takes minutes to compile,
which is nobody's row: two programs that did it at the same time ran past the limits of rows that had nothing wrong.
"""
import os
import pathlib
import subprocess
import sys

USERS = ("tst_cli", "tst_window")
BUILT = ("referee", "amputated")


def main():
    wright, states = sys.argv[1], pathlib.Path(sys.argv[2])
    data = [states / user / "data" for user in USERS]
    environment = {**os.environ, "WARPWRIGHT_DATA": str(data[0]), "XDG_CACHE_HOME": str(states / USERS[0] / "cache")}
    environment.pop("CXX", None)  # a judge belongs to its compiler, and to its torch: those of CliWorld
    shared = os.environ.get("XDG_DATA_HOME", os.path.expanduser("~/.local/share"))
    environment.setdefault("WARPWRIGHT_ENV", f"{shared}/warpwright/env")
    if not os.access(f"{environment['WARPWRIGHT_ENV']}/bin/python", os.X_OK):
        print("No Python environment with torch: nothing is built.")
        return 1 if os.environ.get("REQUIRE_TOOLS") else 77
    built = subprocess.run([wright, "prepare", "--judge"], env=environment, text=True, stderr=subprocess.PIPE, check=False)
    if built.returncode != 0:
        print(built.stderr)
        return built.returncode
    for other in data[1:]:
        for kind in BUILT:
            for folder in sorted(path for path in (data[0] / kind).glob("*") if path.is_dir() and not path.suffix):
                target = other / kind / folder.name
                if not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    subprocess.run(["cp", "-al", str(folder), f"{target}.copied"], check=True)
                    os.rename(f"{target}.copied", target)
    return 0


sys.exit(main())
