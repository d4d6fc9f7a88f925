# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a report of Nsight Compute and prints it as the middle of a document `warpwright.counters/1`.

read_ncu_report.py REPORT OUT [--module FOLDER]... [--kernels N] [--metrics N]

The module `ncu_report` is the interpreter's own, or lies in one of the FOLDERs (extras/python of an installation).
Ends with 0 and JSON in the file OUT; with 3 where there is no such module; with 4 where the module cannot read the
report; with 5 where OUT cannot be written; the last line of standard error says why. Lines «progress N M» on standard output tell how far it is.

Every call of the module may fail for one metric (its surface changes from release to release): that metric is left out.
"""

import json
import math
import mmap
import os
import re
import sys

# Of a report with more launches than --metrics only these are kept, and no instructions: what the views read.
SELECTED = re.compile(
    r"^(gpu__time_duration\.sum|gpc__cycles_elapsed\.|launch__|sm__throughput|gpu__compute_memory_throughput|"
    r"gpu__dram_throughput|l1tex__throughput|lts__throughput|dram__bytes|lts__t_(bytes|sectors|sector_hit)|l1tex__t_sector|"
    r"l1tex__t_bytes|sm__warps_active|sm__maximum_warps|smsp__(warps_active|warps_eligible|issue_active|issue_inst0)|"
    r"smsp__average_warps_issue_stalled_.*_per_issue_active|smsp__average_warp|smsp__sass_thread_inst_executed_op_|"
    r"memory_l2_theoretical|derived__memory_l1_wave|l1tex__data_bank_conflicts|sm__inst_executed|smsp__cycles_elapsed)"
)
# The key that we give to a metric of instructions, in warpwright.counters/1.
AT_INSTRUCTIONS = {
    "smsp__pcsamp_sample_count": "samples",
    "inst_executed": "executed",
    "smsp__inst_executed": "executed",
    "thread_inst_executed_true": "threads",
    "smsp__thread_inst_executed_true": "threads",
    "memory_l2_theoretical_sectors_global": "sectors",
    "memory_l2_theoretical_sectors_global_ideal": "sectorsIdeal",
    "memory_l2_theoretical_sectors_local": "localSectors",
    "memory_l1_wavefronts_shared": "wavefronts",
    "memory_l1_wavefronts_shared_ideal": "wavefrontsIdeal",
    "smsp__branch_targets_threads_divergent": "divergent",
}
STALL = re.compile(r"^smsp__pcsamp_warps_issue_stalled_(\w+?)(_not_issued)?$")
RULE_KINDS = {0: "none", 1: "note", 2: "optimization", 3: "warning", 4: "error"}
LINK = re.compile(r"@(?:section|url|source|metric|rule|line|sass):[^:@]*:([^@]*)@|@(?:section|url|source|metric|rule):([^@]*)@")


def attempt(call, otherwise=None):
    try:
        return call()
    except Exception:  # whatever the binding throws
        return otherwise


def number(metric, index=None):
    """The value as a number that JSON has; None for text, NaN and infinities."""
    value = attempt((lambda: metric.value()) if index is None else (lambda: metric.value(index)))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None


def pair_of(metric):
    unit = attempt(metric.unit, "") or ""
    value = number(metric)
    if value is None:
        text = attempt(metric.value)
        value = text if isinstance(text, str) and text else None
    return [value, unit]


def without_links(text):
    return LINK.sub(lambda match: (match.group(1) or match.group(2) or "").strip(), text or "")


def rules_of(action):
    rules = []
    for result in attempt(action.rule_results_as_dicts, ()) or ():
        message = result.get("rule_message") or {}
        if not message.get("message"):
            continue  # a table that belongs to another one's words
        rule = {
            "id": result.get("rule_identifier", ""),
            "name": result.get("name", ""),
            "section": result.get("section_identifier", ""),
            "title": message.get("title") or "",
            "message": without_links(message["message"]),
            "kind": RULE_KINDS.get(message.get("type"), "note"),
        }
        estimate = result.get("speedup_estimation")
        if estimate and math.isfinite(estimate.get("speedup", math.nan)):
            rule["speedupPercent"] = estimate["speedup"]
            rule["speedupOf"] = "kernel" if estimate.get("type") == 2 else "part"
        rules.append(rule)
    return rules


def instructions_of(action, instanced):
    found = {}
    for name, metric in instanced.items():
        stall = STALL.match(name)
        key = AT_INSTRUCTIONS.get(name)
        if stall:
            key = None if stall.group(2) else "stall." + stall.group(1)
        waits = stall and stall.group(2) and stall.group(1) not in ("selected", "not_selected")
        if not key and not waits:
            continue
        ids = attempt(metric.correlation_ids)
        if ids is None:
            continue
        for index in range(metric.num_instances()):
            address = attempt(lambda: ids.as_uint64(index))
            value = number(metric, index)
            if address is None or not value:
                continue
            values = found.setdefault(address, {})
            name_of_value = key or "samplesNotIssued"
            values[name_of_value] = values.get(name_of_value, 0) + value
            if key and key.startswith("stall.") and "smsp__pcsamp_sample_count" not in instanced:
                values["samples"] = values.get("samples", 0) + value
    # An id that is no instruction of this kernel has no text: the tool's sum of what it could not place.
    executed = instanced.get("inst_executed")
    if executed is not None:
        ids = attempt(executed.correlation_ids)
        for index in range(executed.num_instances() if ids is not None else 0):
            address = attempt(lambda: ids.as_uint64(index))
            if address is not None:
                found.setdefault(address, {})
    instructions = []
    start = min(found, default=0)
    for address in sorted(found):
        text = attempt(lambda: action.sass_by_pc(address)) or ""
        place = attempt(lambda: action.source_info(address))
        line = attempt(place.line, 0) if place is not None else 0
        entry = {"address": address - start}
        if text:
            entry["sass"] = text.strip()
        if line:
            entry["file"] = attempt(place.file_name, "") or ""
            entry["line"] = line
        if not text and not line and not found[address]:
            continue
        entry["values"] = found[address]
        instructions.append(entry)
    return instructions


def opcodes_of(instanced):
    metric = instanced.get("sass__inst_executed_per_opcode")
    ids = attempt(metric.correlation_ids) if metric is not None else None
    if ids is None:
        return {}
    opcodes = {}
    for index in range(metric.num_instances()):
        name = attempt(lambda: ids.as_string(index)) or attempt(lambda: str(ids.value(index)))
        value = number(metric, index)
        if name and value:
            opcodes[name] = value
    return opcodes


def kernel_of(module, action, launch, is_whole):
    metrics, instanced = {}, {}
    for name in attempt(action.metric_names, ()) or ():
        if name.startswith(("group:", "breakdown:", "derived_tempMetric", "profiler__", "TriageCompute")):
            continue
        metric = attempt(lambda: action.metric_by_name(name))
        if metric is None:
            continue
        if is_whole or SELECTED.match(name):
            metrics[name] = pair_of(metric)
        if is_whole and attempt(metric.num_instances, 0) and attempt(metric.has_correlation_ids, False):
            instanced[name] = metric

    def size(name):
        value = metrics.get(name, [0])[0]
        return int(value) if isinstance(value, (int, float)) else 0

    kernel_class = type(action)
    return {
        "arm": "imported",
        "name": attempt(lambda: action.name(kernel_class.NameBase_DEMANGLED), "") or attempt(action.name, ""),
        "function": attempt(lambda: action.name(kernel_class.NameBase_FUNCTION), "") or "",
        "mangled": attempt(lambda: action.name(kernel_class.NameBase_MANGLED), "") or "",
        "launch": launch,
        "grid": [size("launch__grid_dim_" + axis) for axis in "xyz"],
        "block": [size("launch__block_dim_" + axis) for axis in "xyz"],
        "metrics": dict(sorted(metrics.items())),
        "opcodes": opcodes_of(instanced) if is_whole else {},
        "rules": rules_of(action),
        "instructions": instructions_of(action, instanced) if is_whole else [],
    }


def varint(data, index):
    value = shift = 0
    while True:
        byte = data[index]
        index += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, index


def number_field(data, wanted):
    """Of a protobuf message: a field that is a plain number; 0 where it has none."""
    index = 0
    while index < len(data):
        key, index = varint(data, index)
        kind = key & 7
        if kind == 0:
            value, index = varint(data, index)
            if key >> 3 == wanted:
                return value
        elif kind == 2:
            size, index = varint(data, index)
            index += size
        else:
            index += 4 if kind == 5 else 8
    return 0


def look_at(path):
    """Walks over the blocks of the file, without reading them whole: {made, launches, missing}.

    The module takes a report that is cut for one with fewer launches. As extras/FileFormat of Nsight Compute 2025.3
    describes it: "NVR", the size of the file's header and that header, then blocks: size of the header, the header
    (2: launches in it, 5: bytes of what follows), what follows. Other forms (compressed reports) are not looked at.
    """
    facts = {"made": "", "launches": 0, "missing": 0}
    size = os.path.getsize(path)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        if whole[:4] != b"NVR\0":
            return facts
        index = 8 + int.from_bytes(whole[4:8], "little")
        while index < size:
            begin = index + 4
            index = begin + int.from_bytes(whole[index:begin], "little")
            if index > size:
                break
            header = whole[begin:index]
            facts["launches"] += number_field(header, 2)
            index += number_field(header, 5)
            if not facts["made"]:
                found = re.search(rb"(\d{4}\.\d+\.\d+)\.\d+ \(build \d+\)", header)
                facts["made"] = "Nsight Compute " + found.group(1).decode() if found else ""
        facts["missing"] = max(0, index - size)
    return facts


def counted(number, word, one, many):
    """«1 byte is», «2 launches are»"""
    plural = word + ("es" if word.endswith("ch") else "s")
    return "%d %s %s" % (number, word if number == 1 else plural, one if number == 1 else many)


def text_in(action, name):
    metric = attempt(lambda: action.metric_by_name(name))
    value = attempt(metric.value) if metric is not None else None
    return value if isinstance(value, str) else ""


def integer_in(action, name):
    metric = attempt(lambda: action.metric_by_name(name))
    value = number(metric) if metric is not None else None
    return int(value) if value is not None else 0


def main(words):
    paths, folders, most_kernels, most_whole = [], [], 2000, 64
    while words:
        word = words.pop(0)
        if word == "--module":
            folders.append(words.pop(0))
        elif word == "--kernels":
            most_kernels = int(words.pop(0))
        elif word == "--metrics":
            most_whole = int(words.pop(0))
        else:
            paths.append(word)
    report, target = paths
    try:
        import ncu_report
    except ImportError as why:
        ncu_report = None
        for folder in folders:
            sys.path.insert(0, folder)
            ncu_report = attempt(lambda: __import__("ncu_report"))
            if ncu_report is not None:
                break
        if ncu_report is None:
            print(why, file=sys.stderr)
            return 3
    try:
        context = ncu_report.load_report(report)
    except Exception as why:
        print(str(why) or type(why).__name__, file=sys.stderr)
        return 4
    actions = []
    for range_index in range(context.num_ranges()):
        part = context.range_by_idx(range_index)
        actions += [part.action_by_idx(index) for index in range(part.num_actions())]
    facts = attempt(lambda: look_at(report)) or {"made": "", "launches": 0, "missing": 0}
    if not actions:
        with open(report, "rb") as file:
            start = file.read(4)
        if start not in (b"NVR\0", b"\x28\xb5\x2f\xfd"):
            print("it is no report of Nsight Compute: it does not begin as one", file=sys.stderr)
        else:
            missing = counted(facts["missing"], "byte", "is", "are")
            print("it is cut: %s missing at its end, and no launch can be read" % missing if facts["missing"] else "it holds no launch of a kernel", file=sys.stderr)
        return 4
    version = attempt(lambda: __import__("importlib.metadata", fromlist=["version"]).version("ncu-report"))
    if not version:
        version = attempt(lambda: str(ncu_report.get_version())) or "of an installation"
    # Of a damaged report the module gives launches that hold nothing.
    whole = [action for action in actions if len(attempt(action.metric_names, ()) or ()) > 0]
    problems = []
    if facts["missing"]:
        problems.append(
            "The report is cut: %s missing at its end, and %s left of it."
            % (counted(facts["missing"], "byte", "is", "are"), counted(len(whole), "launch", "is", "are"))
        )
    elif len(whole) < len(actions):
        problems.append("The report is damaged: %s nothing and %s left out." % (
            counted(len(actions) - len(whole), "launch", "holds", "hold"), "is" if len(actions) - len(whole) == 1 else "are"))
    if not whole:
        print("it is damaged: none of its launches holds anything", file=sys.stderr)
        return 4
    actions = whole
    first = actions[0]
    is_whole = len(actions) <= most_whole
    document = {
        "schema": "warpwright.counters/1",
        "report": {
            "file": os.path.basename(report),
            "bytes": os.path.getsize(report),
            "tool": facts["made"],
            "readBy": "ncu-report " + version,
        },
        "device": {
            "name": text_in(first, "device__attribute_display_name"),
            "computeCapability": "%d.%d"
            % (
                integer_in(first, "device__attribute_compute_capability_major"),
                integer_in(first, "device__attribute_compute_capability_minor"),
            ),
            "multiprocessors": integer_in(first, "device__attribute_multiprocessor_count"),
        },
        "hasSelectedMetrics": not is_whole,
        "launchesLeftOut": max(0, len(actions) - most_kernels),
        "problems": problems,
    }
    sources = {}
    # Written piece by piece: a report of thousands of launches is larger than one wants twice in memory.
    out = open(target, "w", encoding="utf-8", errors="replace")
    out.write(json.dumps(document, allow_nan=False)[:-1] + ', "kernels": [')
    for index, action in enumerate(actions[:most_kernels]):
        if index % 16 == 0:
            print("progress", index, min(len(actions), most_kernels), flush=True)
        out.write("\n" if index == 0 else ",\n")
        out.write(json.dumps(kernel_of(ncu_report, action, index, is_whole), allow_nan=False))
        if is_whole:
            for name, text in (attempt(lambda: dict(action.source_files()), {}) or {}).items():
                if isinstance(text, str) and text:
                    sources.setdefault(name, text)
    out.write('\n], "sources": ' + json.dumps(sources) + "}\n")
    out.close()
    return 0


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except OSError as why:  # of OUT: a full disk
        print(why, file=sys.stderr)
        code = 5
    sys.stdout.flush()
    # The binding's destructors are not asked: one of them ends the process with a signal where a report was cut.
    os._exit(code)
