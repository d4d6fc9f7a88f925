# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py [--require-speed] FOLDER: the table of a GPU run, from FOLDER/steps.tsv and the JSON documents beside it.

Exits with 1 when an exit code, a verdict or (with --require-speed) a speed is not the expected one.
"""
import json
import os
import sys

HEADS = ("sample", "verdict", "us", "speed of light", "eager x", "compile x", "same class x", "its arm", "seconds", "")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as problem:
        return {"verdict": f"no document ({type(problem).__name__})"}


def number(value, form):
    return format(value, form) if isinstance(value, (int, float)) else "-"


def row(folder, line, require_speed):
    name, code, verdict, least, got_code, seconds = line.rstrip("\n").split("\t")
    document = read(os.path.join(folder, name + ".json"))
    profile = document.get("profile") or {}
    speedup = profile.get("speedup") or {}
    candidate = ((profile.get("arms") or {}).get("candidate") or {}).get("medianMicroseconds")
    light = profile.get("speedOfLightMicroseconds")
    same = speedup.get("sameClass") or {}
    problems = []
    if got_code != code:
        problems.append(f"exit code {got_code}, not {code}")
    if document.get("verdict") != verdict:
        problems.append(f"expected {verdict}")
    is_slow = least != "-" and isinstance(same.get("low"), (int, float)) and same["low"] < float(least)
    remark = problems + ([f"slower than {least}"] if is_slow else [])
    cells = (
        name,
        str(document.get("verdict")),
        number(candidate, ".1f"),
        number(100 * light / candidate, ".0f") + " %" if light and candidate else "-",
        number((speedup.get("eager") or {}).get("value"), ".2f"),
        number((speedup.get("compile") or {}).get("value"), ".2f"),
        f"{number(same.get('value'), '.2f')} [{number(same.get('low'), '.2f')}, {number(same.get('high'), '.2f')}]"
        if same else "-",
        str(same.get("arm") or "-"),
        seconds,
        "; ".join(remark) or "ok",
    )
    return cells, bool(problems) or (is_slow and require_speed)


def main():
    folder = sys.argv[-1]
    with open(os.path.join(folder, "steps.tsv"), encoding="utf-8") as file:
        rows = [row(folder, line, "--require-speed" in sys.argv) for line in file]
    table = [HEADS] + [cells for cells, _ in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADS))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    failed = sum(is_bad for _, is_bad in rows)
    print(f"samples: {len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
