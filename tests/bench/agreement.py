#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two runs of the same check agree within their intervals?

agreement.py [--wright PATH] [--python PATH] [--device cpu|cuda:0] [--runs 21] WORKSPACE

Runs `wright check --json` so many times (after one that measures the baselines), and counts the pairs of neighbouring
runs whose speed-up intervals overlap, and all pairs. The promise is 19 of 20 neighbours. Exit code 0 when it is kept.
"""

import argparse
import itertools
import json
import subprocess
import sys
import time


def measure(options):
    command = [options.wright, "check", options.workspace, "--device", options.device, "--json"]
    if options.python:
        command += ["--python", options.python]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(ended.stdout)
    if ended.returncode != 0:
        sys.exit(f"{document['verdict']}: {document['message']}")
    return document["profile"]["speedup"]


def overlap(first, second):
    return first["low"] <= second["high"] and second["low"] <= first["high"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace")
    parser.add_argument("--wright", default="wright")
    parser.add_argument("--python")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--runs", type=int, default=21)
    options = parser.parse_args()
    measure(options)
    start = time.time()
    runs = []
    for _ in range(options.runs):
        runs.append(measure(options))
        shown = {name: f"{s['value']:.3f} [{s['low']:.3f}, {s['high']:.3f}]" for name, s in runs[-1].items() if s}
        print(f"{time.time() - start:7.1f} s  {shown}", flush=True)
    kept = True
    for name in ("sameClass", "eager"):
        values = [run[name] for run in runs if run[name]]
        neighbours = [overlap(a, b) for a, b in zip(values, values[1:])]
        every = [overlap(a, b) for a, b in itertools.combinations(values, 2)]
        if not neighbours:
            continue
        middle = sorted(value["value"] for value in values)[len(values) // 2]
        print(f"{name}: {sum(neighbours)} of {len(neighbours)} neighbours agree, {sum(every)} of {len(every)} pairs; "
              f"median {middle:.3f}x, least {min(v['value'] for v in values):.3f}, most {max(v['value'] for v in values):.3f}")
        kept = kept and sum(neighbours) * 20 >= 19 * len(neighbours)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
