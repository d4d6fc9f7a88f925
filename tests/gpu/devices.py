# SPDX-License-Identifier: GPL-3.0-or-later
"""devices.py WRIGHT SAMPLE FOLDER: is the device of a number the one that the user's own torch sees as that number?

For several CUDA_VISIBLE_DEVICES: what `wright check --json` says it measured (name, UUID, whose clock it read) beside
what this interpreter's torch and `nvidia-smi -L` say; and which devices `wright doctor` lists. A row each; ends with 1
where one differs. Needs two GPUs for the rows that matter; with one it says so.
"""
import json
import os
import re
import shutil
import subprocess
import sys

WRIGHT, SAMPLE, FOLDER = sys.argv[1:4]
TORCH = """import json, torch
print(json.dumps([[str(p.uuid), p.name] for p in map(torch.cuda.get_device_properties, range(torch.cuda.device_count()))]))"""


def environment(shown):
    own = {key: value for key, value in os.environ.items() if key not in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")}
    return own if shown is None else {**own, "CUDA_VISIBLE_DEVICES": shown}


def run(command, shown):
    return subprocess.run(command, env=environment(shown), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def bare(uuid):
    return (uuid or "").split("-", 1)[-1] if (uuid or "").startswith(("GPU-", "MIG-")) else uuid or ""


def as_torch_sees(shown):
    done = run([sys.executable, "-c", TORCH], shown)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout.strip() else []


def as_doctor_lists(shown):
    done = run([WRIGHT, "doctor", "--python", sys.executable, "--json"], shown)
    try:
        findings = json.loads(done.stdout)["findings"]
    except ValueError:
        return ["no document"]
    return [found["path"] for found in findings if found["name"].startswith("device cuda:")]


def cards():
    """UUID -> name, and of each slice (MIG) its card, as nvidia-smi lists them."""
    names, slices, card = {}, {}, None
    for line in run(["nvidia-smi", "-L"], None).stdout.splitlines():
        whole = re.match(r"GPU \d+: (.*) \(UUID: (GPU-[0-9a-f-]+)\)", line)
        part = re.match(r"\s+MIG .*\(UUID: (MIG-[0-9a-f-]+)\)", line)
        if whole:
            card = whole.group(2)
            names[card] = whole.group(1)
        elif part:
            slices[part.group(1)] = card
    return names, slices


def measured(shown, number):
    done = run([WRIGHT, "check", os.path.join(FOLDER, "devices"), "--device", f"cuda:{number}", "--python", sys.executable,
                "--json"], shown)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return {}, f"no document, exit code {done.returncode}: {done.stderr[-300:]}"
    return document.get("device") or {}, document.get("verdict")


def main():
    names, slices = cards()
    if not names:
        print("devices: nvidia-smi lists none")
        return 1
    shutil.rmtree(os.path.join(FOLDER, "devices"), ignore_errors=True)
    shutil.copytree(SAMPLE, os.path.join(FOLDER, "devices"))
    uuids = list(names)
    checks = [(None, 0), ("0", 0), (uuids[-1], 0)] + [(slice_, 0) for slice_ in list(slices)[:2]]
    lists = ["", "-1", "0,0", "0,9", "0,-1," + uuids[0], uuids[0][:10], uuids[0] + "," + uuids[0], uuids[0] + ",0"]
    if len(uuids) > 1:
        checks = [(None, 0), (None, 1), ("0,1", 0), ("1,0", 0), ("1,0", 1), ("1", 0), (uuids[1] + "," + uuids[0], 0),
                  (uuids[1][:12], 0)] + checks[3:]
        lists += ["1,0", "1,7,0", "0,1,0", uuids[1] + "," + uuids[0], "1," + uuids[0]]
    else:
        print("devices: one GPU only, so nothing is out of order here")
    rows, failed = [("CUDA_VISIBLE_DEVICES", "device", "name", "UUID", "clock of", "verdict", "")], 0
    for shown, number in checks:
        seen = as_torch_sees(shown)
        expected = seen[number] if number < len(seen) else ["torch sees none", ""]
        device, verdict = measured(shown, number)
        uuid = device.get("uuid")
        card = slices.get(uuid, uuid)
        problems = []
        if bare(uuid) != bare(expected[0]):
            problems.append(f"torch: {expected[0]}")
        if device.get("name") != expected[1] or (uuid in names and names[uuid] != device.get("name")):
            problems.append(f"name: torch {expected[1]}, nvidia-smi {names.get(uuid)}")
        if device.get("clockOf") != card:
            problems.append(f"clock of {device.get('clockOf')}, not of {card}")
        if verdict != "pass":
            problems.append("not measured")
        failed += bool(problems)
        rows.append((repr(shown) if shown is not None else "not set", f"cuda:{number}", str(device.get("name")), str(uuid),
                     str(device.get("clockOf")), str(verdict), "; ".join(problems) or "ok"))
    rows.append(("CUDA_VISIBLE_DEVICES", "listed by doctor", "", "", "", "", ""))
    for shown in lists:
        listed, seen = [bare(uuid) for uuid in as_doctor_lists(shown)], [bare(uuid) for uuid, _ in as_torch_sees(shown)]
        failed += listed != seen
        rows.append((repr(shown), str(len(listed)), ", ".join(uuid[:8] for uuid in listed), "", "", "",
                     "ok" if listed == seen else f"torch sees {seen}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(f"devices: {len(uuids)} cards, {len(slices)} slices, {failed} rows differ")
    return 1 if failed else 0


sys.exit(main())
