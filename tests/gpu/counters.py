# SPDX-License-Identifier: GPL-3.0-or-later
"""counters.py WRIGHT SAMPLES FOLDER [DIR...]: `wright counters` on a GPU, the workspaces DIR or else six samples.

A row a workspace: kernels, seconds with the profiler and without (the same command with a stand-in for ncu that starts
the call and nothing else; only of the samples), whether every metric equals what `ncu --import --page raw --print-units
base` prints of the same report, and whether ncu itself reads it. Ends with 1 where the profiler costs more than 8 s, or
a value differs. Where the driver refuses counters it says so, and no row is counted. FOLDER keeps documents, reports
and findings.
"""
import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

WRIGHT, SAMPLES, FOLDER = sys.argv[1:4]
NAMES = ("pointwise-chain", "softmax-rows", "rmsnorm-residual", "arg-reduction", "gemm-bias-gelu", "depthwise-conv")
PLAIN = """#!/bin/sh
# In the place of ncu: only what it would profile.
while [ $# -gt 0 ]; do
    case $1 in */python*) break ;; esac
    shift
done
exec "$@"
"""
REFUSED = ("ERR_NVGPUCTRPERM", "LibraryNotLoaded", "no Nsight Compute", "holds the counters")


def run(words, environment=None, limit=240):
    begin = time.monotonic()
    done = subprocess.run(words, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=limit)
    return done, time.monotonic() - begin


def counters(folder, environment=None):
    return run([WRIGHT, "counters", folder, "--python", sys.executable, "--json"], environment)


def printed(report):
    """Metric by launch, as ncu prints it in base units; None: it cannot read the report."""
    done, _ = run(["ncu", "--config-file", "off", "--import", report, "--csv", "--page", "raw", "--print-units", "base", "--print-fp"])
    lines = done.stdout.splitlines()
    start = next((index for index, line in enumerate(lines) if line.startswith('"ID"')), None)
    if done.returncode != 0 or start is None:
        return None
    rows = list(csv.reader(io.StringIO("\n".join(lines[start:]))))
    return [dict(zip(rows[0], row)) for row in rows[2:]]


def differences(kernels, launches):
    compared, wrong = 0, []
    for kernel, launch in zip(kernels, launches):
        for name, (value, _) in kernel["metrics"].items():
            text = launch.get(name, "").replace(",", "")
            if not isinstance(value, (int, float)) or not text:
                continue
            try:
                there = float(text)
            except ValueError:
                continue
            compared += 1
            # Some are printed with two digits after the point, most with six.
            digits = len(text.partition(".")[2])
            if not math.isclose(value, there, rel_tol=1e-6, abs_tol=0.51 * 10**-digits):
                wrong.append(f"{name}: {value}, ncu prints {text}")
    return compared, wrong


def main():
    plain = os.path.join(FOLDER, "plain")
    os.makedirs(plain, exist_ok=True)
    with open(os.path.join(plain, "ncu"), "w", encoding="utf-8") as file:
        file.write(PLAIN)
    os.chmod(os.path.join(plain, "ncu"), 0o755)
    os.chmod(plain, 0o755)
    failed = False
    named = sys.argv[4:]
    folders = []
    for name in named or NAMES:
        folders.append(os.path.join(FOLDER, "workspaces", os.path.basename(name.rstrip("/"))))
        shutil.copytree(name if named else os.path.join(SAMPLES, name), folders[-1], dirs_exist_ok=True)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda folder: run([WRIGHT, "check", folder, "--python", sys.executable, "--stages", "compile"]), folders))
    for folder in folders:
        name = os.path.basename(folder)
        done, with_profiler = counters(folder)
        if any(word in done.stderr for word in REFUSED):
            print(f"{name:20} counters are refused here: {done.stderr.strip().splitlines()[-1]}")
            continue
        cost = 0.0
        if not named:
            _, without = counters(folder, {"WARPWRIGHT_NCU": os.path.join(plain, "ncu")})
            done, with_profiler = counters(folder)  # the first one has built the judge, perhaps
            cost = with_profiler - without
        if done.returncode != 0:
            failed = True
            print(f"{name:20} exit code {done.returncode}: {done.stderr.strip()[-300:]}")
            continue
        document = json.loads(done.stdout)
        with open(os.path.join(FOLDER, name + ".counters.json"), "w", encoding="utf-8") as file:
            file.write(done.stdout)
        report = os.path.join(folder, ".warpwright", "counters", document["report"]["file"])
        shutil.copy(report, os.path.join(FOLDER, name + ".ncu-rep"))
        launches = printed(report)
        compared, wrong = differences(document["kernels"], launches or [])
        bad = launches is None or bool(wrong) or compared == 0 or cost > 8
        failed |= bad
        spent = f", without the profiler {with_profiler - cost:.1f} s: {cost:.1f} s more" if cost else ""
        print(f"{name:20} {len(document['kernels'])} launches, {with_profiler:.1f} s{spent}; {compared} values as ncu prints them, "
              f"{len(wrong)} not{'  FAILED' if bad else ''}", flush=True)
        for line in wrong[:3]:
            print("    " + line)
        found, _ = run([WRIGHT, "findings", folder, "--python", sys.executable])
        with open(os.path.join(FOLDER, name + ".findings.txt"), "w", encoding="utf-8") as file:
            file.write(found.stdout + found.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
