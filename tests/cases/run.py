#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files as people have them, and what the program has to say of each: table.json, a row a case, a folder beside it.

    tests/cases/run.py --wright build/dev/bin/wright [--first | --only NAME...] [--device cpu|cuda:0] [--long] [--profile]
                       [--jobs N] [--table FILE]

Each row is tried in a copy. A step that only verifies counts as `pass` where every round of the verification passed; with
--profile it is measured as well. Steps that tune, and those that only a GPU shows, are «not run» without --long or the GPU.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tasks"))
from torch_python import with_torch  # noqa: E402

TEMPLATE = HERE.parents[1] / "resources" / "templates" / "workspace"
NO_WORDS = {"workspace", "environment", "device", "exercised", "compile", "thing", "id", "startedAt", "schema"}


def words(node):
    """All that an evaluation says, without the names that stand in it (a folder's name is no sentence)."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in NO_WORDS:
                yield from words(value)
        yield from words(node.get("compile", {}).get("diagnostics") if isinstance(node.get("compile"), dict) else None)
    elif isinstance(node, list):
        for value in node:
            yield from words(value)
    elif isinstance(node, str):
        yield node


def outcome(document, stages):
    """The verdict; `pass` also where verification was all that was asked for, and it passed."""
    if not document:
        return "none"
    verdict = document.get("verdict")
    verified = (document.get("verify") or {}).get("status") == "passed"
    return "pass" if verdict == "not-run" and verified and "profile" not in stages else verdict


def infinite(node):
    """Whether a number of the rounds is none: NaN beside NaN is nothing that was compared."""
    if isinstance(node, dict):
        return any(infinite(value) for value in node.values())
    if isinstance(node, list):
        return any(infinite(value) for value in node)
    return isinstance(node, float) and not math.isfinite(node) or node in ("nan", "inf", "-inf")


def prepare(case, folder):
    """A copy of the case, with the binding that all workspaces share."""
    shutil.copytree(pathlib.Path(case.get("folder", HERE / case["name"])), folder, symlinks=True)
    for new in folder.rglob("model_new.py") if case.get("binding", True) else ():
        if (new.parent / "kernels").is_dir():
            for name in ("binding.cpp", "binding_registry.h"):
                shutil.copy(TEMPLATE / name, new.parent / name)


def faults(step, code, text, document, stages):
    """What of one step is not as the table says."""
    found = outcome(document, stages) if document is not None else None
    if "expected" in step and found not in step["expected"]:
        yield f"{found}, expected {' or '.join(step['expected'])}"
    if "exit" in step and code not in step["exit"]:
        yield f"exit code {code}, expected {step['exit']}"
    for pattern in step.get("says", []) + (step.get("says_when", {}).get(found, [])):
        if not re.search(pattern, text, re.I):
            yield f"does not say /{pattern}/"
    for pattern in step.get("silent", []):
        hit = re.search(pattern, text, re.I)
        if hit:
            yield f"says «{text[max(0, hit.start() - 30):hit.end() + 30]}»"
    if step.get("finite") and document and infinite((document.get("verify") or {}).get("rounds", [])):
        yield "a round compared numbers that are none"


def run_step(step, wright, device, folder, profile, limit):
    """One command in the copy: its faults, its seconds, and what it said."""
    for name, (old, new) in step.get("edit", {}).items():
        path = folder / name
        before = path.read_text() if path.exists() else ""
        if old not in before:
            return [f"the table's edit of {name} finds no «{old}»"], 0.0, ""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before.replace(old, new) if old else new)
    for name, old in step.get("copy", {}).items():
        shutil.copy(folder / old, folder / name)
    for name in step.get("remove", []):
        (folder / name).unlink()
    command = [word.replace("{dir}", str(folder)) for word in step.get("run", ["check", "{dir}"])]
    stages = "compile,verify,profile" if profile or step.get("profile") else "compile,verify"
    checks = command[0] == "check"
    if checks:
        command += ["--json", "--stages", stages]
    if command[0] in ("check", "tune"):
        command += ["--device", device]
    began = time.monotonic()
    try:
        done = subprocess.run([wright, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=step.get("limit", limit))
    except subprocess.TimeoutExpired:
        return [f"no answer in {step.get('limit', limit)} s"], time.monotonic() - began, ""
    document = None
    if checks:
        try:
            document = json.loads(done.stdout)
        except ValueError:
            document = {}
    text = "\n".join(words(document)) if document and not step.get("raw") else done.stdout + done.stderr
    text = re.sub(r"\s+", " ", text.replace(str(folder), "W"))
    took = time.monotonic() - began
    found = list(faults(step, done.returncode, text, document, stages))
    if took > step.get("seconds", limit):
        found.append(f"took {took:.0f} s, {step['seconds']} s would do")
    return found, took, (f"[{outcome(document, stages)}] " if document else f"[exit {done.returncode}] ") + text


@dataclasses.dataclass
class Row:
    """What came of one case."""

    faults: list = dataclasses.field(default_factory=list)
    log: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    ran: int = 0
    skipped: int = 0


def is_wanted(case, arguments):
    name = case["name"]
    if arguments.only and not any(name.startswith(start) for start in arguments.only):
        return False
    if arguments.first and not re.match(r"\d+-", name):
        return False
    return not arguments.only_long or any(step.get("long") for step in case["steps"])


def run_row(case, wright, scratch, arguments):
    kind, row = arguments.device.split(":")[0], Row()
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch)) / "w"
    prepare(case, folder)
    for number, step in enumerate(case["steps"], 1):
        if kind not in step.get("devices", ["cpu"]) or (step.get("long") and not (arguments.long or arguments.only_long)):
            row.skipped += 1
            continue
        found, took, text = run_step(step, wright, arguments.device, folder, arguments.profile, arguments.limit)
        row.faults += [f"step {number}: {fault}" for fault in found]
        row.seconds, row.ran = row.seconds + took, row.ran + 1
        row.log.append(f"#### {case['name']} step {number} ({took:.1f} s) {found}\n{text[:6000]}\n\n")
    shutil.rmtree(folder.parent, ignore_errors=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wright", required=True, help="the program")
    parser.add_argument("--only", nargs="*", default=[], help="rows whose names begin with one of these")
    parser.add_argument("--first", action="store_true", help="the first row of each kind: a number without a letter")
    parser.add_argument("--jobs", type=int, default=1, help="rows side by side; the steps of one follow each other")
    parser.add_argument("--device", default="cpu", help="cpu or cuda:N")
    parser.add_argument("--long", action="store_true", help="also the steps that tune")
    parser.add_argument("--only-long", action="store_true", help="the rows that have such steps, and no others")
    parser.add_argument("--profile", action="store_true", help="measure, too, what is only verified else")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one step")
    parser.add_argument("--table", type=pathlib.Path, default=HERE / "table.json", help="another table; its rows name their folder")
    parser.add_argument("--log", type=pathlib.Path, help="what each step said, into this file")
    arguments = parser.parse_args()
    with_torch()
    # The judge takes the torch that this interpreter has, also where the tests' state has no environment of its own.
    os.environ.setdefault("WARPWRIGHT_ENV", sys.prefix)
    wright = str(pathlib.Path(arguments.wright).resolve())
    if not os.access(wright, os.X_OK):
        sys.exit(f"{arguments.wright} is no program. What to do: build wright, and name it by --wright.")
    wrong, counted, left = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="wright-cases-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
            (open(arguments.log, "w") if arguments.log else contextlib.nullcontext()) as log:
        rows = [case for case in json.loads(arguments.table.read_text())["rows"] if is_wanted(case, arguments)]
        for case, row in zip(rows, pool.map(lambda case: run_row(case, wright, scratch, arguments), rows)):
            if log:
                log.write("".join(row.log))
                log.flush()
            state = "not run" if not row.ran else "WRONG" if row.faults else "ok"
            counted, wrong, left = counted + (row.ran > 0), wrong + bool(row.faults), left + row.skipped
            part = f"  ({row.skipped} of {len(case['steps'])} steps not run)" if row.skipped and row.ran else ""
            print(f"{case['name']:36} {state:8} {row.seconds:6.1f} s  {'; '.join(row.faults)}{part}", flush=True)
    print(f"{counted - wrong} of {counted} rows as expected, {wrong} not; {left} steps were not run.")
    return 1 if wrong or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
