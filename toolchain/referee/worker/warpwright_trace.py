# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch's profiler wrote of some calls, as events of each call: plain values, without torch.

A call is what stands in a range of the name CALL. What runs on the device belongs to the call that launched it; where
no launch is known, to the one in whose time it began. Times are in microseconds from the call's start.
"""

import re

CALL = "warpwright: one call"
MOST_EVENTS = 20000
MOST_NAME = 2000
ON_DEVICE = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset"}
ON_HOST = ("cuda_runtime", "cuda_driver")
LAUNCHES = re.compile(r"Launch|Memcpy|Memset")


def number(value):
    """What is no finite number is none."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and value == value and abs(value) < 1e18
    return value if good else None


def host_kind(name):
    if "GraphLaunch" in name:
        return "graph"
    if "Synchronize" in name:
        return "sync"
    return "launch" if LAUNCHES.search(name) else "runtime"


def sizes(value):
    good = isinstance(value, list) and len(value) == 3 and all(isinstance(size, int) for size in value)
    return value if good else None


def device_event(event, given):
    """The fields that CUPTI gives of one kernel or copy; those of another version that are not there are left out."""
    graph = given.get("graph id", given.get("graphId"))
    fields = {
        "stream": number(given.get("stream")),
        "correlation": number(given.get("correlation")),
        "grid": sizes(given.get("grid")),
        "block": sizes(given.get("block")),
        "registers": number(given.get("registers per thread")),
        "sharedBytes": number(given.get("shared memory")),
        "bytes": number(given.get("bytes")),
        "graph": number(graph) or None,
    }
    return {"kind": ON_DEVICE[event["cat"]], **{key: value for key, value in fields.items() if value is not None}}


def converted(event):
    """One event of ours of one of theirs, with its absolute start; None: nothing that is shown."""
    if event.get("ph") != "X":
        return None
    kind, name = event.get("cat"), str(event.get("name", ""))[:MOST_NAME]
    start, duration = number(event.get("ts")), number(event.get("dur", 0))
    if start is None or duration is None or duration < 0:
        return None
    given = event.get("args") if isinstance(event.get("args"), dict) else {}
    if kind in ON_DEVICE:
        made = device_event(event, given)
    elif kind in ON_HOST:
        made = {"kind": host_kind(name), "thread": number(event.get("tid")), "correlation": number(given.get("correlation"))}
    elif kind == "cuda_sync" and "Wait" in name and number(given.get("stream")) is not None and given["stream"] >= 0:
        # A stream that waits for an event of another one; the host's own waits are calls as well.
        other = number(given.get("wait_on_stream"))
        made = {"kind": "wait", "stream": given["stream"], "forStream": other if other is not None and other >= 0 else None}
    elif kind == "cpu_op":
        made = {"kind": "op", "thread": number(event.get("tid"))}
    elif kind == "overhead":
        made = {"kind": "overhead"}
    elif kind == "user_annotation" and name == CALL:
        made = {"kind": "call", "thread": number(event.get("tid"))}
    else:
        return None
    made = {key: value for key, value in made.items() if value is not None}
    return {"kind": made.pop("kind"), "name": name, "start": start, "durationUs": duration, **made}


def outermost(ops):
    """Operators that no other one of the same thread has called, in the order of their starts."""
    kept, ends = [], {}
    for op in sorted(ops, key=lambda op: (op["start"], -op["durationUs"])):
        thread = op.get("thread")
        if op["start"] >= ends.get(thread, float("-inf")):
            kept.append(op)
            ends[thread] = op["start"] + op["durationUs"]
    return kept


def calls_of(trace):
    """[{us, overheadUs, events}] of a chrome trace, in the order of the calls."""
    rows = trace.get("traceEvents") if isinstance(trace, dict) else None
    found = [made for row in rows or [] if isinstance(row, dict) and (made := converted(row)) is not None]
    spans = sorted((event for event in found if event["kind"] == "call"), key=lambda event: event["start"])
    calls = [{"start": span["start"], "end": span["start"] + span["durationUs"], "events": [], "overheadUs": 0.0} for span in spans]

    def at(time):
        return next((call for call in calls if call["start"] <= time <= call["end"]), None)

    launched = {}  # the call of each launch, by its correlation
    rest = []
    for event in outermost([event for event in found if event["kind"] == "op"]) + [event for event in found if event["kind"] not in ("op", "call")]:
        on_device = event["kind"] in ("kernel", "memcpy", "memset")
        if on_device:
            rest.append(event)
            continue
        call = at(event["start"])
        if call is None:
            continue
        if event["kind"] == "overhead":
            call["overheadUs"] += event["durationUs"]
            continue
        call["events"].append(event)
        if event.get("correlation"):
            launched[event["correlation"]] = (call, event["kind"])
    for event in rest:
        call, how = launched.get(event.get("correlation"), (None, ""))
        call = call or at(event["start"])
        if call is None:
            continue
        if how == "graph":
            event.setdefault("graph", event["correlation"])
        call["events"].append(event)
    return [in_call(call) for call in calls]


def in_call(call):
    events = []
    for event in sorted(call["events"], key=lambda event: (event["start"], -event["durationUs"])):
        start = round(event.pop("start") - call["start"], 3)
        events.append({"kind": event.pop("kind"), "name": event.pop("name"), "startUs": start,
                       "durationUs": round(event.pop("durationUs"), 3), **event})
    return {"us": round(call["end"] - call["start"], 3), "overheadUs": round(call["overheadUs"], 3), "events": events}


def steps_of(call):
    """What ran on the device, or in threads of its own: what the same call does each time."""
    return [event for event in call["events"] if event["kind"] in ("kernel", "memcpy", "memset", "region")]


def middle_of(calls):
    """The place of the call of median length among those of the fewest disturbances by the profiler."""
    order = sorted(range(len(calls)), key=lambda place: (calls[place]["overheadUs"] > 0, calls[place]["us"]))
    quiet = [place for place in order if calls[place]["overheadUs"] == 0] or order
    return quiet[(len(quiet) - 1) // 2]


def shown(calls):
    """{shown, calls, isSameEachTime, events, eventsLeftOut}: the median call's events, the steps among them with the
    shortest and the longest that they took in any call; of the other calls their lengths."""
    place = middle_of(calls)
    steps = [steps_of(call) for call in calls]
    names = [[(event["kind"], event["name"]) for event in each] for each in steps]
    is_same = all(each == names[place] for each in names)
    if is_same and len(calls) > 1:
        for number_, event in enumerate(steps[place]):
            durations = [each[number_]["durationUs"] for each in steps]
            event["lowUs"], event["highUs"] = min(durations), max(durations)
    events = calls[place]["events"]
    return {
        "shown": place,
        "calls": [{"us": call["us"], "overheadUs": call["overheadUs"], "steps": len(each)} for call, each in zip(calls, steps)],
        "isSameEachTime": is_same,
        "events": events[:MOST_EVENTS],
        "eventsLeftOut": max(0, len(events) - MOST_EVENTS),
    }
