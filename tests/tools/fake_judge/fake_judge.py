#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A judge that measures nothing: it speaks the protocol of wright-referee and says what FAKE_JUDGE tells it to.

FAKE_JUDGE is a list of words, separated by spaces:
  verdict=WORD        what verify (or, for impossible and inconclusive, profile) answers
  verdict=WORD@profile   the same in profile
  refuse=METHOD:WORD  the call is answered with an error of that verdict
  die=METHOD:N        it kills itself with signal N in that call
  exit=METHOD:N       it ends with exit code N in that call
  garbage=METHOD      it writes a line that is no JSON
  stranger=METHOD     it answers a question that nobody asked
  slow=METHOD:S       it takes S seconds, with progress, and can be cancelled
  processes=N         slow=profile: so many processes are over before the first step
  ahead               it imports before it opens, and compiles baselines beside verify
  deaf                it does not hear a cancel, nor the end of its input, nor SIGTERM
  silent=METHOD       it says nothing at all, for ever
  child=METHOD        it starts a child in a session of its own that outlives everything
  protocol=N          the protocol it claims to speak
  without=ARM         that arm was not measured
  times=C,E,K         medians of candidate, eager and compile in microseconds
  clock=VALUE         what `clock` finds for code that is as fast as it is (1: the truth), within 0.5 %; «none»: no number
  uncertified         `clock` gives no certificate
  sweep=A:T,T,-;B:T,T what a sweep that is asked for finds: microseconds by value, `-` is not reached; the text's is 0
  degenerate          the task's result is the same whatever comes in
  nonumbers           the speed-ups are null, as NaN is in JSON
  intext              more of these words stand in the candidate: «// fake judge: times=80,220,150» in kernels/
"""

import glob
import json
import os
import select
import signal
import subprocess
import sys
import time

TOLD = os.environ.get("FAKE_JUDGE", "").split()
WORDS = TOLD


def option(name, method=None):
    """The value of name=VALUE; with a method, of name=METHOD or name=METHOD:VALUE."""
    for word in WORDS:
        key, _, value = word.partition("=")
        if key != name:
            continue
        if method is None:
            return value or "yes"
        asked, _, rest = value.partition(":")
        if asked == method:
            return rest or "yes"
    return None


def words_in_text(folder):
    """What was told, after what the candidate's text says now."""
    words = []
    for path in sorted(glob.glob(os.path.join(folder, "kernels", "*"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                words += line.partition("// fake judge: ")[2].split()
    return words[::-1] + TOLD


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def reply(request, result):
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request, verdict, what="The fake judge refuses.", why="it was told to", advice="Ask the real one."):
    data = {"verdict": verdict, "what": what, "why": why, "advice": advice}
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32000, "message": what, "data": data}})


def progress(stage, step, index, count):
    send({"jsonrpc": "2.0", "method": "progress",
          "params": {"stage": stage, "step": step, "index": index, "count": count, "elapsedSeconds": 0.0,
                     "lastSeconds": None}})


class Input:
    """Lines of standard input, also while a call takes its time."""

    def __init__(self):
        self._text = b""
        self._lines = []
        self.ended = False

    def _fill(self, timeout):
        ready, _, _ = select.select([0], [], [], timeout)
        if not ready:
            return
        chunk = os.read(0, 65536)
        if not chunk:
            self.ended = True
        self._text += chunk
        *whole, self._text = self._text.split(b"\n")
        self._lines += [json.loads(line) for line in whole if line.strip()]

    def next(self):
        while not self._lines and not self.ended:
            self._fill(None)
        return self._lines.pop(0) if self._lines else None

    def cancelled(self):
        self._fill(0.02) if not self.ended else time.sleep(0.02)
        for line in self._lines:
            if line.get("method") == "cancel":
                self._lines.remove(line)
                return True
        return self.ended


def misbehave(request, source):
    """True: the call has been answered (or never will be)."""
    method = request["method"]
    if option("child", method):
        subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    if option("die", method):
        sys.stderr.write("fake judge: about to die\n")
        sys.stderr.flush()
        os.kill(os.getpid(), int(option("die", method)))
    if option("exit", method):
        os._exit(int(option("exit", method)))
    if option("garbage", method):
        sys.stdout.write("Segmentation fault (core dumped)\n")
        sys.stdout.flush()
    if option("stranger", method):
        send({"jsonrpc": "2.0", "id": 9999, "result": {}})
    if option("silent", method):
        while True:
            time.sleep(1)
    if option("slow", method):
        end = time.monotonic() + float(option("slow", method))
        step = 0
        for process in range(1, int(option("processes") or 0) + 1 if method == "profile" else 0):
            send({"jsonrpc": "2.0", "method": "progress", "params": {"stage": method, "measured": {
                "process": process, "calls": {"candidate": [100.0, 101.0, 102.0], "eager": [220.0 + process]},
                "graph": {}}}})
        while time.monotonic() < end:
            step += 1
            progress(method, f"step {step}", step, 1000)
            if source.cancelled() and not option("deaf"):
                refuse(request, "cancelled", "Cancelled.", "", "")
                return True
            time.sleep(0.1)
    if option("refuse", method):
        refuse(request, option("refuse", method), 'Cannot use the reference "model.py".')
        return True
    return False


def verdict_in(stage):
    """The verdict of this stage and its reason, or nothing."""
    word = option("verdict")
    if not word:
        return None
    verdict, _, place = word.partition("@")
    place = place or ("profile" if verdict in ("impossible", "inconclusive") else "verify")
    return verdict if place == stage else None


def integrity(verdict, findings):
    return {"status": "failed" if verdict in ("rejected", "impossible") else "passed",
            "wall": {"kind": "none", "lacks": ["Nothing stands between this judge and the world."]},
            "findings": findings if verdict in ("rejected", "impossible") else []}


def opened(parameters):
    tensor = {"name": "input", "dtype": "float32", "shape": [4, 8]}
    return {
        "task": {"flops": 64, "bytes": 256, "method": "a guess", "inputs": [tensor], "outputs": [tensor],
                 "parameters": {"count": 0, "bytes": 0}},
        "device": {"kind": "cpu", "name": "fake processor", "uuid": "cpu-0", "units": 2} if parameters.get("device") == "cpu"
        else {"uuid": parameters.get("deviceUuid") or "the judge was not told which"},
        "environment": {"python": sys.version.split()[0]},
    }


def verified():
    verdict = verdict_in("verify")
    rounds = []
    for index in range(1, 6):
        progress("verify", f"round {index} of 5", index, 5)
        rounds.append({"index": index, "seed": 1000 + index, "status": "failed" if verdict == "wrong" else "passed",
                       "precision": "FP32", "candidateSeconds": 0.001, "outputs": []})
        if verdict == "wrong":
            break
    worst = {"round": 1, "output": "output", "index": [1, 3], "expected": 1.0, "actual": 1.5 if verdict else 1.0,
             "reference": 1.0, "relativeError": 0.5 if verdict else 1e-7, "bound": 1e-6}
    task = {"task": {"degenerate": {"reason": "The same whatever comes in."}}} if option("degenerate") else {}
    return {
        **task,
        "status": "failed" if verdict else "passed", "verdict": verdict, "reason": "the fake judge was told to say so" if verdict else "",
        "advice": "Ask the real one." if verdict else "", "rounds": rounds, "worst": worst,
        "workdirCriterion": {"status": "failed" if verdict else "passed", "absoluteTolerance": 0.01,
                             "relativeTolerance": 0.01, "elementsOutside": 0},
        "precision": {"allowed": ["FP32", "TF32"], "measured": "FP32"},
        "integrity": integrity(verdict, [{"kind": "writes-inputs", "evidence": "bytes differ"}]),
        "doubts": ["The fake judge measures nothing."],
    }


def arm(median, live=True):
    return {"medianMicroseconds": median, "lowMicroseconds": median * 0.99, "highMicroseconds": median * 1.01,
            "samples": 12, "live": live, "flags": []}


def beside(folder, candidate):
    """The text before, whose words stand in the workspace that its build belongs to."""
    global WORDS
    if not folder:
        return None
    own, WORDS = WORDS, words_in_text(os.path.abspath(os.path.join(folder, "..", "..", "..", "..")))
    before = float((option("times") or "100,220,150").split(",")[0])
    WORDS = own
    ratio = candidate / max(before, 1e-9)
    return {"status": "passed", "reason": "", "arm": arm(before), "graph": None,
            "ratio": {"value": ratio, "low": ratio * 0.98, "high": ratio * 1.02}}


def swept(parameters):
    """What the words say of each attribute; nothing where no sweep is asked for."""
    if not parameters.get("sweep") or not option("sweep"):
        return {}
    tried, best, ratio = [], {}, None
    for told in option("sweep").split(";"):
        attribute, _, times = told.partition(":")
        times = [None if time == "-" else float(time) for time in times.split(",")]
        tried += [{"attribute": attribute, "value": value, "microseconds": time} for value, time in enumerate(times)]
        least = min(time for time in times if time is not None)
        if least < 0.985 * times[0]:
            best[attribute] = times.index(least)
            ratio = (ratio or 1.0) * least / times[0]
    is_late = any(one["microseconds"] is None for one in tried)
    return {"sweep": {"status": "stopped" if is_late else "passed",
                      "reason": "its seconds were over before all were tried" if is_late else "",
                      "tried": tried, "best": best, "ratio": ratio, "batches": 3}}


def profiled(parameters):
    verdict = verdict_in("profile")
    candidate, eager, compiled = (float(x) for x in (option("times") or "100,220,150").split(","))

    arms = {name: None for name in ("eagerStrict", "compileStrict", "eagerTf32", "compileTf32")}
    arms.update(candidate=arm(candidate), eager=arm(eager), compile=arm(compiled, live=False))
    speedup = {name: {"value": other / max(candidate, 1e-9), "low": other / max(candidate, 1e-9) * 0.98,
                      "high": other / max(candidate, 1e-9) * 1.02,
                      "arm": name} for name, other in (("eager", eager), ("compile", compiled))}
    if option("without"):
        arms[option("without")] = None
        speedup[option("without")] = None
    speedup["sameClass"] = min((s for s in speedup.values() if s), key=lambda s: s["value"])
    if option("nonumbers"):
        speedup["sameClass"] = {"value": None, "low": None, "high": None, "arm": "eager"}
    for index in range(1, 4):
        progress("profile", f"blocks {4 * index} of 12", index, 3)
    return {
        "status": "failed" if verdict else "passed", "verdict": verdict,
        "reason": "the fake judge was told to say so" if verdict else "", "advice": "Ask the real one." if verdict else "",
        "profile": {"status": "failed" if verdict else "passed", "method": "median of 12 interleaved blocks, 95 % bootstrap interval",
                    "clock": [], "blocks": [{"block": index} for index in range(12)], "arms": arms,
                    "speedOfLightMicroseconds": 80.0, "speedup": speedup,
                    "before": beside(parameters.get("before"), candidate), **swept(parameters)},
        "device": {"ceilings": {"bytesPerSecond": 2e10}}, "integrity": {**integrity(verdict, [{"kind": "impossible-time", "evidence": "too fast"}])},
        "doubts": [],
    }


def clocked(parameters):
    """The stand-in is slower by what was asked for; the clock errs by what FAKE_JUDGE says."""
    answer = profiled({})
    eager = answer["profile"]["arms"]["eager"]["medianMicroseconds"]
    is_number = option("clock") != "none"
    value = float(option("clock") or 1 if is_number else 1) * eager / (eager + parameters["extraMicroseconds"])
    found = {"value": value, "low": value * 0.995, "high": value * 1.005 if is_number else None}
    answer["profile"]["speedup"] = {name: {**found, "arm": name} for name in ("eager", "compile")}
    is_certified = parameters["tier"] == "certify" and not option("uncertified")
    answer["profile"]["certificate"] = {
        "status": "passed" if is_certified else "failed" if parameters["tier"] == "certify" else "not-run",
        "lane": "calls" if is_certified else None, "processes": 3, "sameAgain": None, "reason": "" if is_certified else "it is a fake"}
    answer["profile"]["deviceSeconds"] = 0.4
    return answer


def main():
    global WORDS
    folder = ""
    if option("deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    source = Input()
    while (request := source.next()) is not None or option("deaf"):
        if request is None:
            time.sleep(1)
            continue
        method = request.get("method")
        if method == "open":
            folder = request["params"].get("folder", "")
        if "intext" in TOLD:
            WORDS = words_in_text(folder)
        if method == "cancel" or misbehave(request, source):
            continue
        if method == "hello":
            reply(request, {"protocol": int(option("protocol") or 1), "version": "fake", "torch": "none", "cuda": False,
                            "canExpect": True, "canImport": option("ahead") is not None})
        elif method == "open":
            progress("open", "reference", 1, 1)
            reply(request, {**opened(request["params"]), "compilesAhead": option("ahead") is not None})
        elif method in ("import", "expect", "baselines"):
            reply(request, {})
        elif method == "verify":
            reply(request, verified())
        elif method == "profile":
            reply(request, profiled(request["params"]))
        elif method == "clock":
            reply(request, clocked(request["params"]))
        elif method == "shutdown" and not option("deaf"):
            reply(request, {})
            return


main()
