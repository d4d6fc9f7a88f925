# SPDX-License-Identifier: GPL-3.0-or-later
"""When what of a call runs: python -I trace_call.py INPUTS RUN MODEL_FILE OUT [DEVICE] [--arms candidate,eager,compile]
[--calls 5] [--regions LIBRARY].

A process of its own, no worker of the judge: torch's allocator as it is in a user's process. INPUTS is what the judge
exported, RUN the compiled candidate's folder, OUT the document that is written (the arms of warpwright.timeline/1).
References run first, so that nothing a candidate does to this process is in their pictures. What torch's profiler says
of the candidate is evidence, not proof.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DONE = "warpwright: the calls are traced"
WARM_UPS = 3  # at least, and for so many seconds: clocks rise, and memory is found
WARM_UP_SECONDS = 0.3
UNTRACED = 15
UNKEPT = 3  # traced calls before those that are kept
ORDER = ("eager", "compile", "candidate")


def words_of(problem):
    """The first line of what is wrong: CUDA's and the compiler's advice follows below it."""
    text = str(problem).strip().splitlines() or [""]
    return f"{type(problem).__name__}: {text[0][:400]}"


class Tracing:
    def __init__(self, inputs, run, model_file, device, calls, regions):
        import torch
        from warpwright_exported import Exported

        self.torch = torch
        self._run, self._model_file, self._calls, self._regions = run, model_file, calls, regions
        self._exported = Exported(inputs, device)
        self.device = self._exported.device
        self.is_cuda = self.device.type == "cuda"
        self.problems = []

    def _made(self, arm):
        if arm == "candidate":
            os.chdir(self._run)
            return self._exported.candidate(self._run)
        model = self._exported.reference(self._model_file)
        return self.torch.compile(model) if arm == "compile" else model

    # ---- their calls

    def _idle(self):
        if self.is_cuda:
            self.torch.cuda.synchronize(self.device)

    def traced(self, arm):
        """The arm's part of the document."""
        from warpwright_trace import shown

        started = time.perf_counter()
        model = self._made(arm)
        arguments = self._exported.arguments()

        def call():
            with self.torch.no_grad():
                result = model(*arguments)
            self._idle()
            return result  # given back by the caller, after the call: to unmap a large one takes milliseconds

        warm = time.perf_counter()
        done = 0
        while done < WARM_UPS or time.perf_counter() - warm < WARM_UP_SECONDS:
            call()
            done += 1
        untraced = []
        for _ in range(UNTRACED):
            start = time.perf_counter_ns()
            result = call()
            untraced.append(round((time.perf_counter_ns() - start) / 1000, 3))
            del result
        notes = []
        calls = self._profiled(call, arm, notes)
        return {"name": arm, "problem": "", "notes": notes, "untracedUs": untraced, **shown(calls),
                "seconds": round(time.perf_counter() - started, 2)}

    def _profiled(self, call, arm, notes):
        """Calls under torch's profiler; the first ones, in which it starts, are not kept."""
        from torch.profiler import ProfilerActivity, profile, record_function, supported_activities
        from warpwright_trace import CALL, calls_of

        activities = [ProfilerActivity.CPU]
        if self.is_cuda:
            if ProfilerActivity.CUDA not in supported_activities():
                raise RuntimeError("this torch was built without CUPTI, so nothing tells when a kernel runs")
            activities.append(ProfilerActivity.CUDA)
        regions = self._watched(arm, notes)
        found = []
        # Twice: what the first session loads, and whatever is done once only, is in no picture.
        for wanted in (1, UNKEPT + self._calls):
            found.clear()
            with profile(activities=activities, experimental_config=self._told_of_waits()) as session:
                for _ in range(wanted):
                    if regions is not None:
                        regions.begin()
                    with record_function(CALL):
                        start = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                        result = call()
                    del result
                    if regions is not None:
                        found.append(regions.events(start))
                        regions.end()
        calls = calls_of(self._written(session))[UNKEPT:]
        if len(calls) != self._calls:
            raise RuntimeError(f"torch's profiler saw {len(calls)} of {self._calls} calls")
        for place, events in enumerate(found[UNKEPT:]):
            calls[place]["events"] = sorted(calls[place]["events"] + events, key=lambda event: event["startUs"])
        if self.is_cuda and not any(event["kind"] == "kernel" for each in calls for event in each["events"]):
            notes.append("torch's profiler saw no kernel on the device: either this arm launches none, or CUPTI does not answer here "
                         "(another profiler holds it, or the driver is older than the CUPTI that torch brings).")
        return calls

    def _told_of_waits(self):
        """Whether a stream waits for another one is told only on request, by newer versions of torch."""
        try:
            from torch._C._profiler import _ExperimentalConfig

            return _ExperimentalConfig(enable_cuda_sync_events=True) if self.is_cuda else None
        except (ImportError, TypeError):
            return None

    def _written(self, session):
        # Only this has all that CUPTI tells: the events that Python gets lack grids, registers and bytes.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            session.export_chrome_trace(path)
            with open(path, encoding="utf-8", errors="replace") as file:
                return json.loads(file.read(), strict=False)

    def _watched(self, arm, notes):
        """What times the candidate's parallel regions on a CPU; None: nothing does, and `notes` says why."""
        if self.is_cuda or arm != "candidate":
            return None
        if self._regions is None:
            notes.append("Parallel regions are not timed: the library that times them was not built.")
            return None
        from warpwright_regions import Regions

        try:
            regions = Regions(self._regions, os.path.join(self._run, "cuda_extension.so"))
        except (OSError, AttributeError) as problem:
            notes.append(f"Parallel regions are not timed: {words_of(problem)}")
            return None
        if regions.openers:
            return regions
        notes.append("The candidate's extension opens no parallel region of OpenMP (libgomp): it computes in one thread, in threads of its "
                     "own, or in torch's operators; their times would have to be told by itself.")
        return None

    # ---- the document

    def missing(self):
        """Why nothing can run on this device, without a full stop; empty: it can."""
        if not self.is_cuda or self.torch.cuda.is_available():
            return ""
        try:
            self.torch.cuda.init()
        except Exception as problem:
            return f"No call can be traced on {self.device}: {words_of(problem)}"
        return f"No call can be traced on {self.device}: torch finds no CUDA device"

    def device_facts(self):
        torch = self.torch
        if self.problems:
            return {"kind": self.device.type, "name": ""}
        if not self.is_cuda:
            return {"kind": "cpu", "name": "CPU", "threads": torch.get_num_threads()}
        facts = torch.cuda.get_device_properties(self.device)
        return {"kind": "cuda", "name": facts.name, "computeCapability": f"{facts.major}.{facts.minor}",
                "multiprocessors": facts.multi_processor_count}

    def document(self, arms):
        found = {}
        if missing := self.missing():
            self.problems.append(missing)
            print(missing, file=sys.stderr)
            arms = []
        for arm in (arm for arm in ORDER if arm in arms):
            try:
                found[arm] = self.traced(arm)
            except Exception as problem:  # the other arms still have their pictures
                found[arm] = {"name": arm, "problem": words_of(problem), "notes": [], "untracedUs": [], "shown": 0, "calls": [],
                              "isSameEachTime": True, "events": [], "eventsLeftOut": 0}
            gc.collect()
            if self.is_cuda:
                self.torch.cuda.empty_cache()
        for arm in found.values():
            if arm["untracedUs"]:
                print(f"{arm['name']}: {statistics.median(arm['untracedUs'])} us untraced, {arm['calls'][arm['shown']]['us']} us traced, "
                      f"{len(arm['events'])} events", file=sys.stderr)
            else:
                print(f"{arm['name']}: {arm['problem']}", file=sys.stderr)
        return {"tool": f"torch {self.torch.__version__}'s profiler", "device": self.device_facts(),
                "arms": [found[arm] for arm in arms if arm in found], "problems": self.problems}


def main():
    # Standard output is a model's own; what is said here goes to standard error.
    os.dup2(2, 1)
    options = argparse.ArgumentParser()
    for name in ("inputs", "run", "model", "out"):
        options.add_argument(name)
    options.add_argument("device", nargs="?", default="cuda:0")
    options.add_argument("--arms", default="candidate,eager,compile")
    options.add_argument("--calls", type=int, default=5)
    options.add_argument("--regions")
    asked = options.parse_args()
    arms = [arm for arm in asked.arms.split(",") if arm in ORDER]
    # Modules of ours are loaded before any of the candidate's, which may have the same names.
    sys.path.insert(0, HERE)
    import warpwright_exported, warpwright_regions, warpwright_trace  # noqa: E401, F401

    if HERE in sys.path:
        sys.path.remove(HERE)
    tracing = Tracing(asked.inputs, asked.run, asked.model, asked.device, max(1, asked.calls), asked.regions)
    document = tracing.document(arms)
    with open(asked.out, "w", encoding="utf-8") as file:
        json.dump(document, file)
    print(DONE, file=sys.stderr, flush=True)
    # No destructors: what a library frees, or forgets to, is not asked.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
