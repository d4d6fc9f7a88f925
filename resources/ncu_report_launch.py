# SPDX-License-Identifier: GPL-3.0-or-later
"""One launch of a report of Nsight Compute, as the module `ncu_report` tells of it, in the words of `warpwright.counters/1`.

Every call of the module may fail for one metric (its surface changes from release to release): that metric is left out.
"""

import itertools
import math
import re

# What is kept of a brief launch: what views and detectors read. The names are Nsight Compute's.
OF_PEAK = ".pct_of_peak_sustained_elapsed"
SELECTED = (
    """
    derived__local_spilling_requests dram__bytes.sum dram__bytes.sum.peak_sustained dram__bytes.sum.per_second
    dram__bytes_read.sum dram__bytes_read.sum.P dram__bytes_write.sum dram__bytes_write.sum.P
    dram__cycles_elapsed.avg.per_second gpc__cycles_elapsed.avg.per_second gpc__cycles_elapsed.max
    gpu__compute_memory_throughput.avg.P gpu__dram_throughput.avg.P gpu__time_duration.sum l1tex__cycles_elapsed.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.P l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.P
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum.P l1tex__t_sector_hit_rate.pct
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum
    l1tex__throughput.avg.pct_of_peak_sustained_active l1tex__throughput.avg.P launch__block_size launch__grid_size
    launch__occupancy_limit_barriers launch__occupancy_limit_blocks launch__occupancy_limit_registers
    launch__occupancy_limit_shared_mem launch__occupancy_limit_warps launch__registers_per_thread
    launch__shared_mem_per_block_dynamic launch__shared_mem_per_block_static launch__sm_count
    launch__waves_per_multiprocessor lts__d_atomic_input_cycles_active.max.P lts__t_requests_srcunit_tex.sum
    lts__t_requests_srcunit_tex_op_atom_dot_alu.sum lts__t_requests_srcunit_tex_op_atom_dot_cas.sum
    lts__t_requests_srcunit_tex_op_red.sum lts__t_sector_hit_rate.pct lts__t_sectors_srcunit_tex_op_read.avg.P
    lts__t_sectors_srcunit_tex_op_read.sum lts__t_sectors_srcunit_tex_op_write.avg.P lts__t_sectors_srcunit_tex_op_write.sum
    lts__throughput.avg.P memory_l2_theoretical_sectors_global memory_l2_theoretical_sectors_global_ideal
    sass__inst_executed_local_loads sass__inst_executed_register_spilling sm__cycles_active.avg
    sm__inst_executed.avg.per_cycle_active sm__inst_executed_pipe_adu.avg.P sm__inst_executed_pipe_tensor_op_hmma.avg.P
    sm__inst_issued.avg.P sm__maximum_warps_per_active_cycle_pct sm__pipe_tensor_cycles_active.avg.P
    sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active sm__pipe_tensor_op_hmma_cycles_active.avg.P sm__throughput.avg.P sm__warps_active.avg.pct_of_peak_sustained_active
    sm__warps_active.avg.per_cycle_active smsp__average_warp_latency_per_inst_issued.ratio smsp__cycles_elapsed.avg
    smsp__cycles_elapsed.avg.per_second smsp__issue_active.avg.per_cycle_active
    smsp__issue_inst0.avg.pct_of_peak_sustained_active smsp__maximum_warps_avg_per_active_cycle
    smsp__warps_active.avg.peak_sustained smsp__warps_active.avg.per_cycle_active smsp__warps_eligible.avg.per_cycle_active
    """.replace(".P", OF_PEAK).split()
    + ["device__attribute_multiprocessor_count"]
    + ["smsp__average_warps_issue_stalled_%s_per_issue_active.ratio" % reason for reason in (
        "barrier branch_resolving dispatch_stall drain gmma imc_miss lg_throttle long_scoreboard math_pipe_throttle membar "
        "mio_throttle misc no_instructions not_selected selected short_scoreboard sleeping tex_throttle wait "
        "warpgroup_arrive").split()]
    + ["smsp__sass_thread_inst_executed_op_%s%s_pred_on.sum%s" % parts for parts in itertools.product(
        "dfh", ("add", "mul", "fma"), ("", ".per_cycle_elapsed"))]
)
# Charts over many values, whose own value is none: ncu prints «8,524 %/register».
CHARTS = ("group:", "breakdown:", "derived_tempMetric", "profiler__", "TriageCompute", "derived__pct_occupancy_per_")
# Of the lists of parts these two are read: the greatest part makes the throughput.
BREAKDOWNS = tuple("breakdown:" + of + ".avg" + OF_PEAK for of in ("sm__throughput", "gpu__compute_memory_throughput"))
DURATION = "gpu__time_duration.sum"

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


def metrics_of(action, is_brief):
    """By name, and those of them that have a value for each instruction."""
    metrics, instanced = {}, {}
    for name in SELECTED if is_brief else attempt(action.metric_names, ()) or ():
        if name.startswith(CHARTS) and name not in BREAKDOWNS:
            continue
        metric = attempt(lambda: action.metric_by_name(name))
        if metric is None:
            continue
        metrics[name] = pair_of(metric)
        if not is_brief and attempt(metric.num_instances, 0) and attempt(metric.has_correlation_ids, False):
            instanced[name] = metric
    return dict(sorted(metrics.items())), instanced


def sizes(action, name):
    return [integer_in(action, "launch__%s_dim_%s" % (name, axis)) for axis in "xyz"]


def kernel_of(action, launch, is_brief):
    metrics, instanced = metrics_of(action, is_brief)
    kernel_class = type(action)
    kernel = {
        "arm": "imported",
        "name": attempt(lambda: action.name(kernel_class.NameBase_DEMANGLED), "") or attempt(action.name, ""),
        "function": attempt(lambda: action.name(kernel_class.NameBase_FUNCTION), "") or "",
        "mangled": attempt(lambda: action.name(kernel_class.NameBase_MANGLED), "") or "",
        "launch": launch,
        "grid": sizes(action, "grid"),
        "block": sizes(action, "block"),
        "metrics": metrics,
        "opcodes": opcodes_of(instanced),
        "rules": [] if is_brief else rules_of(action),
        "instructions": [] if is_brief else instructions_of(action, instanced),
    }
    if is_brief:
        kernel["brief"] = True
    return kernel


def text_in(action, name):
    metric = attempt(lambda: action.metric_by_name(name))
    value = attempt(metric.value) if metric is not None else None
    return value if isinstance(value, str) else ""


def integer_in(action, name):
    metric = attempt(lambda: action.metric_by_name(name))
    value = number(metric) if metric is not None else None
    return int(value) if value is not None else 0


def holds_something(action):
    """Of a damaged report the module gives launches that hold nothing."""
    return (attempt(lambda: action.metric_by_name("launch__grid_size")) is not None
            or len(attempt(action.metric_names, ()) or ()) > 0)


def device_of(action):
    return {
        "name": text_in(action, "device__attribute_display_name"),
        "computeCapability": "%d.%d" % tuple(
            integer_in(action, "device__attribute_compute_capability_" + part) for part in ("major", "minor")),
        "multiprocessors": integer_in(action, "device__attribute_multiprocessor_count"),
    }
