#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""When what of a call runs: toolchain/referee/worker/trace_call.py on a CPU, with a small extension, and what it makes of
a trace that was recorded on an H200. `check_trace.py KEPT` keeps the document of the CPU's calls there."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKER = ROOT / "toolchain/referee/worker"
sys.path[:0] = [str(ROOT / "tests/tasks"), str(WORKER)]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from warpwright_init import encode_init  # noqa: E402
from warpwright_trace import calls_of, shown  # noqa: E402
from warpwright_values import Planner, encode  # noqa: E402

failed = 0


def check(what, is_so):
    global failed
    if not is_so:
        failed += 1
        print("FAIL:", what)


MODEL = """
import torch
class Model(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(size))
    def forward(self, x):
        return torch.relu(x * self.scale) + 1
def get_init_inputs():
    return [256]
def get_inputs():
    return [torch.rand(4096, 256)]
"""
CANDIDATE = """
import torch, cuda_extension
class ModelNew(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(size))
    def forward(self, x):
        y = torch.empty_like(x)
        cuda_extension.scale(x.data_ptr(), self.scale.data_ptr(), y.data_ptr(), x.shape[0], x.shape[1])
        return y
"""
EXTENSION = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>
namespace kernels {
void scaleRows(const float *x, const float *s, float *y, long rows, long columns) {
#pragma omp parallel for
    for (long i = 0; i < rows * columns; ++i)
        y[i] = x[i] * s[i % columns];
#pragma omp parallel for schedule(dynamic, 64)
    for (long row = 0; row < rows; ++row)
        for (long i = row * columns; i < (row + 1) * columns; ++i)
            y[i] = (y[i] > 0 ? y[i] : 0) + 1;
}
}
static PyObject *scale(PyObject *, PyObject *args) {
    long long x, s, y;
    long rows, columns;
    if (!PyArg_ParseTuple(args, "LLLll", &x, &s, &y, &rows, &columns))
        return nullptr;
    kernels::scaleRows((const float *)x, (const float *)s, (float *)y, rows, columns);
    Py_RETURN_NONE;
}
static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "cuda_extension", "", -1, methods};
PyMODINIT_FUNC PyInit_cuda_extension() { return PyModule_Create(&module); }
"""


def exported(folder, model):
    """As the judge's input_export.cpp writes it."""
    arguments = [torch.rand(4096, 256)]
    planner = Planner("inputs")
    places = []

    def place(tensor):
        places.append((tensor, planner.place(tensor)))
        return places[-1][1]

    tree = encode(arguments, place)
    state_planner, state = Planner("weights"), []
    for name, tensor in model.state_dict().items():
        state.append((tensor, {"name": name, **state_planner.place(tensor)}))
    for name, end, rows in (("inputs.bin", planner.end, places), ("state.bin", state_planner.end, state)):
        data = bytearray(end)
        for tensor, description in rows:
            data[description["offset"] : description["offset"] + tensor.numel() * 4] = tensor.detach().numpy().tobytes()
        (folder / name).write_bytes(data)
    (folder / "inputs.json").write_text(json.dumps({
        "seed": 7, "train": False, "initInputs": encode_init(((256,), {})), "arguments": tree, "state": [entry for _, entry in state]}))


def built(folder, extension, flags):
    (folder / "e.cpp").write_text(extension)
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", *flags, f"-I{sysconfig.get_paths()['include']}", str(folder / "e.cpp"), "-o",
                    str(folder / "cuda_extension.so")], check=True)


def traced(folder, *more, arms="candidate,eager", device="cpu"):
    out = folder / "out.json"
    ended = subprocess.run([sys.executable, "-I", str(WORKER / "trace_call.py"), str(folder), str(folder), str(folder / "model.py"), str(out),
                            device, "--arms", arms, *more], capture_output=True, text=True)
    if ended.returncode != 0 or "warpwright: the calls are traced" not in ended.stderr:
        print(ended.stdout, ended.stderr)
        return None
    return json.loads(out.read_text())


def fits_the_schema(arm):
    try:
        import jsonschema
    except ImportError:
        return  # tests/cli asks for it
    schema = json.loads((ROOT / "resources/schemas/timeline-1.schema.json").read_text())
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/arm", "$defs": schema["$defs"]})
    for problem in validator.iter_errors(arm):
        check(f"{arm['name']} fits the schema: {problem.json_path}: {problem.message}", False)


def on_a_cpu(folder, kept):
    (folder / "model.py").write_text(MODEL)
    (folder / "model_new.py").write_text(CANDIDATE)
    scope = {}
    exec(MODEL, scope)
    exported(folder, scope["Model"](256))
    built(folder, EXTENSION, ["-fopenmp"])
    library = folder / "regions.so"
    subprocess.run(["g++", "-std=c++20", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'toolchain'}", str(WORKER / "region_watch.cpp"),
                    str(WORKER / "module_slots.cpp"), "-o", str(library), "-ldl"], check=True)
    document = traced(folder, "--regions", str(library))
    if document is None:
        check("it runs", False)
        return
    if kept:
        shutil.copy(folder / "out.json", kept)
    candidate, eager = document["arms"]
    fits_the_schema(candidate)
    fits_the_schema(eager)
    check("arms in the order they were asked for", (candidate["name"], eager["name"]) == ("candidate", "eager"))
    check("no problem", not candidate["problem"] and not eager["problem"])
    regions = [event for event in candidate["events"] if event["kind"] == "region"]
    check("both regions", [region["name"] for region in regions] == [
        "kernels::scaleRows(float const*, float const*, float*, long, long), region 1",
        "kernels::scaleRows(float const*, float const*, float*, long, long), region 2"])
    check("within the call, one after the other", 0 < regions[0]["startUs"] and regions[0]["startUs"] + regions[0]["durationUs"]
          <= regions[1]["startUs"] and regions[1]["startUs"] + regions[1]["durationUs"] <= candidate["calls"][candidate["shown"]]["us"])
    check("their threads", all(region["threads"] == torch.get_num_threads() for region in regions))
    check("work of threads", all(region["longestUs"] <= region["durationUs"] and region["busyUs"] >= region["longestUs"] for region in regions))
    check("a spread over calls", all(region["lowUs"] <= region["durationUs"] <= region["highUs"] for region in regions))
    check("eager's operators, outermost ones", [event["name"] for event in eager["events"]] == ["aten::mul", "aten::relu", "aten::add"])
    check("five calls, and as many untraced as are wanted", len(eager["calls"]) == 5 and len(eager["untracedUs"]) == 15)
    check("no line about regions", candidate["notes"] == [])

    check("says that nothing times regions", "not timed" in traced(folder, arms="candidate")["arms"][0]["notes"][0])
    built(folder, EXTENSION, [])
    without = traced(folder, "--regions", str(library), arms="candidate")["arms"][0]
    check("says that there are none", "opens no parallel region" in without["notes"][0])
    if not torch.cuda.is_available():
        nowhere = traced(folder, device="cuda:0")
        check("says that there is no GPU", nowhere["arms"] == [] and nowhere["problems"][0].startswith("No call can be traced on cuda:0: "))
    (folder / "model_new.py").write_text(CANDIDATE + "\nraise RuntimeError('not today')\n")
    broken = traced(folder, "--regions", str(library))["arms"]
    check("one arm's trouble is its own", broken[0]["problem"] == "RuntimeError: not today" and broken[1]["problem"] == "")


def of_an_h200():
    with open(ROOT / "tests/data/kineto/h200-2.11.0.json", encoding="utf-8") as file:
        trace = json.load(file)
    check("no call without its range", calls_of(trace) == [])
    rows = trace["traceEvents"]
    starts = [row["ts"] for row in rows if row.get("cat") == "kernel"]
    end = max(row["ts"] + row["dur"] for row in rows if row.get("ph") == "X" and row.get("cat") in ("kernel", "cuda_runtime"))
    first = min(row["ts"] for row in rows if row.get("cat") in ("cpu_op", "cuda_runtime"))
    rows.append({"ph": "X", "cat": "user_annotation", "name": "warpwright: one call", "ts": first, "dur": end - first, "tid": 1})
    call, = calls_of(trace)
    kernels = [event for event in call["events"] if event["kind"] == "kernel"]
    check("all kernels", len(kernels) == len(starts) and len(kernels) > 2)
    check("what a kernel uses", kernels[0]["grid"] == [16384, 1, 1] and kernels[0]["block"] == [128, 1, 1] and kernels[0]["registers"] == 32
          and kernels[0]["stream"] == 7)
    launches = {event["correlation"]: event for event in call["events"] if event["kind"] == "launch"}
    check("each kernel's launch", all(kernel["correlation"] in launches for kernel in kernels))
    check("in the order of time", [event["startUs"] for event in call["events"]] == sorted(event["startUs"] for event in call["events"]))
    check("the profiler's own work is told", call["overheadUs"] > 1000)

    def of(start, length, overhead=0.0):
        return {"us": length, "overheadUs": overhead, "events": [{"kind": "kernel", "name": "k", "startUs": 1.0, "durationUs": start}]}

    chosen = shown([of(5.0, 30.0), of(4.0, 20.0), of(6.0, 10.0, overhead=3.0)])
    check("the median of the quiet ones", chosen["shown"] == 1 and chosen["events"][0]["lowUs"] == 4.0 and chosen["events"][0]["highUs"] == 6.0)
    replay = {"traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "warpwright: one call", "ts": 100.0, "dur": 50.0, "tid": 1},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "ts": 101.0, "dur": 5.0, "tid": 1, "args": {"correlation": 9}},
        {"ph": "X", "cat": "kernel", "name": "a", "ts": 110.0, "dur": 4.0, "args": {"correlation": 9, "stream": 7}},
        {"ph": "X", "cat": "kernel", "name": "b", "ts": 99.5, "dur": float("nan"), "args": {"correlation": 9, "stream": 7}},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoD", "ts": 115.0, "dur": 1.0, "args": {"stream": 7, "bytes": 4096}},
        {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "ts": 120.0, "dur": 1.0, "args": {"stream": 7, "wait_on_stream": 20}},
        {"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "ts": 121.0, "dur": 1.0, "args": {"stream": 7}}, 7, {"ph": "X"}]}
    events = calls_of(replay)[0]["events"]
    check("a graph's kernels", [(event["kind"], event.get("graph")) for event in events] == [("graph", None), ("kernel", 9), ("memcpy", None), ("wait", None)])
    check("which stream is waited for", events[3]["forStream"] == 20)
    check("a copy's bytes", events[2]["bytes"] == 4096)
    fits_the_schema({"name": "candidate", "problem": "", "notes": [], "untracedUs": [], **shown(calls_of(replay))})
    fits_the_schema({"name": "eager", "problem": "", "notes": [], "untracedUs": [1.5], **shown([call])})


of_an_h200()
with tempfile.TemporaryDirectory() as scratch:
    on_a_cpu(pathlib.Path(scratch), sys.argv[1] if len(sys.argv) > 1 else None)
sys.exit(1 if failed else 0)
