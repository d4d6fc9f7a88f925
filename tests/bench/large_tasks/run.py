#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the large tasks (tasks.py) on a GPU: verdict, seconds, and the most memory that was taken, one line each.

    run.py WRIGHT SHARE [--device cuda:0] [--python PATH] [--only NAME,NAME] [--limit SECONDS] [--out FOLDER]
           [--certify NAME,NAME] [--warm] [--budget SECONDS]

WRIGHT is the program, SHARE the package's share/warpwright. First softmax-rows, cold, for comparison; a task is right
when it passes (the one that is too large: when it is refused with the bytes) within the limit. Exits with 1 otherwise.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import tasks

GIB = 1 << 30


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("wright")
    parser.add_argument("share", type=pathlib.Path)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="")
    parser.add_argument("--certify", default="", help="names that are also certified")
    parser.add_argument("--limit", type=float, default=90.0, help="of one check")
    parser.add_argument("--budget", type=float, default=540.0, help="no check is begun that may end after it")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--warm", action="store_true", help="each check twice")
    return parser.parse_args()


def check(options, folder, certify=False):
    """(exit code, evaluation or None, seconds, the last words)"""
    command = [options.wright, "check", str(folder), "--device", options.device, "--python", options.python, "--json"]
    begin = time.monotonic()
    try:
        ran = subprocess.run(command + (["--tier", "certify"] if certify else []), capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired as late:
        words = (late.stderr or b"").decode(errors="replace").strip().splitlines()
        return 124, None, time.monotonic() - begin, words[-1] if words else "no word"
    seconds = time.monotonic() - begin
    try:
        evaluation = json.loads(ran.stdout)
    except ValueError:
        evaluation = None
    words = ran.stderr.strip().splitlines()
    return ran.returncode, evaluation, seconds, words[-1] if words else ""


def told(evaluation):
    """Verdict, peak, plan and phases in one line."""
    verify, profile = evaluation.get("verify") or {}, evaluation.get("profile") or {}
    memory = profile.get("memory") or verify.get("memory") or {}
    speedup = ((profile.get("speedup") or {}).get("sameClass") or {}).get("value")
    phases = {}
    for stage in (verify, profile):
        for name, seconds in (stage.get("phases") or {}).items():
            phases[name] = phases.get(name, 0) + seconds
    parts = [
        f"{evaluation['verdict']}", f"{speedup:.2f}x" if speedup else "-",
        f"peak {memory.get('peakBytes', 0) / GIB:.1f} of {memory.get('deviceBytes', 0) / GIB:.1f} GiB",
        f"one call {sum(memory.get(key, 0) for key in ('inputBytes', 'forwardBytes', 'parameterBytes')) / GIB:.1f}",
        f"{memory.get('plan')}, oracle {memory.get('oracle')} {memory.get('pieces')}",
        ", ".join(f"{name} {seconds:.1f}" for name, seconds in sorted(phases.items(), key=lambda item: -item[1])[:6]),
    ]
    stages = ", ".join(f"{name} {(evaluation.get(name) or {}).get('seconds') or 0:.1f}" for name in ("compile", "verify", "profile"))
    return " | ".join(parts) + " | " + stages


def main():
    options = arguments()
    wanted = options.only.split(",") if options.only else ["softmax-rows", *tasks.TASKS, *tasks.TOO_LARGE]
    certified = [name for name in options.certify.split(",") if name]
    began, failed = time.monotonic(), []
    with tempfile.TemporaryDirectory() as work:
        for name in wanted + certified:
            folder = pathlib.Path(work) / name
            certify = name in certified and folder.exists()
            if time.monotonic() - began + options.limit > options.budget:
                print(f"{name}: not run, no time left", flush=True)
                failed.append(name)
                continue
            if not folder.exists():
                if name == "softmax-rows":
                    shutil.copytree(options.share / "samples" / name, folder)
                else:
                    tasks.write(name, folder, options.share / "templates/workspace")
            for turn in ("cold", "warm") if options.warm or name in ("softmax-rows", "silu-6") else ("cold",):
                code, evaluation, seconds, words = check(options, folder, certify)
                text = told(evaluation) if evaluation else words
                print(f"{name}{' certified' if certify else ''} {turn}: {seconds:.1f} s, exit {code}: {text}", flush=True)
                for line in [evaluation.get("reason", "")] + evaluation.get("doubts", []) if evaluation else []:
                    if line:
                        print(f"    {line[:600]}", flush=True)
                if options.out and evaluation:
                    options.out.mkdir(parents=True, exist_ok=True)
                    (options.out / f"{name}-{turn}{'-certified' if certify else ''}.json").write_text(json.dumps(evaluation))
                verdict = evaluation["verdict"] if evaluation else "none"
                large = "too large" in json.dumps(evaluation) or "too large" in words
                if not (verdict == "pass" or (certify and verdict == "inconclusive") or (name in tasks.TOO_LARGE and large)):
                    failed.append(f"{name} {turn}")
    print(f"whole run {time.monotonic() - began:.0f} s; failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
