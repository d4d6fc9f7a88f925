# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a report of Nsight Compute and writes it as the lines of a document `warpwright.counters/1`.

read_ncu_report.py REPORT OUT [--module FOLDER]... [--kernels N] [--metrics N] [--kernel PART] [--launch N]

OUT has one JSON object a line: launches, in any order (a later line of the same launch takes the place of an earlier
one), and in the end the document without them. Launches beyond --kernels keep their times alone. Of a report with more
launches than --metrics, most are brief ("brief": what our views read, no instructions, no rules); whole are the longest
one of each kernel and shape, those of --kernel and --launch (from 1) before all others, --metrics of them at most.

The module `ncu_report` is the interpreter's own, or lies in one of the FOLDERs (extras/python of an installation).
Ends with 0; with 3 where there is no such module; with 4 where the module cannot read the report; with 5 where OUT cannot
be written; the last line of standard error says why. Lines «progress N M» on standard output tell how far it is.

The module frees nothing that it read, and a damaged report may end it: each part of a report is read by a process of its
own.
"""

import json
import os
import re
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ncu_report_blocks as blocks  # noqa: E402
from ncu_report_launch import DURATION, attempt, device_of, holds_something, kernel_of, number  # noqa: E402

PART_BYTES = 24 << 20  # of a report; some four times as much is in memory then
PART_LAUNCHES = 128
PART_SECONDS = 300  # a few are usual
MOST_FAILURES = 16  # parts that cannot be read are not halved any more after so many


def counted(number, word, one, many):
    """«1 byte is», «2 launches are»"""
    plural = word + ("es" if word.endswith("ch") else "s")
    return "%s %s %s" % (format(number, ","), word if number == 1 else plural, one if number == 1 else many)


# ---- one part of a report, in a process of its own


class NoModule(Exception):
    pass


def module_in(folders):
    try:
        import ncu_report

        return ncu_report
    except ImportError as why:
        for folder in folders:
            sys.path.insert(0, folder)
            found = attempt(lambda: __import__("ncu_report"))
            if found is not None:
                return found
        raise NoModule(str(why))


def in_child(work, seconds=0):
    """What `work` gives as JSON; {"error"}, {"noModule"} or {"noRoom"}: why it gives nothing."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(seconds)
        try:
            answer = work()
        except NoModule as why:
            answer = {"noModule": str(why)}
        except NoRoom as why:
            answer = {"noRoom": str(why)}
        except Exception as why:
            answer = {"error": str(why) or type(why).__name__}
        with os.fdopen(writer, "w", encoding="utf-8", errors="replace") as pipe:
            json.dump(answer, pipe)
        # The binding's destructors are not asked: one of them ends the process with a signal where a report was cut.
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    answer = attempt(lambda: json.loads(text))
    if answer is not None:
        return answer
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return {"error": "what reads it did not finish in %d s" % seconds}
    if os.WIFSIGNALED(status):
        return {"error": "what reads it was ended by %s" % attempt(lambda: signal.Signals(os.WTERMSIG(status)).name, "a signal")}
    return {"error": "what reads it ended by itself"}


class NoRoom(Exception):
    pass


class Out:
    """Lines at the end of OUT. What a process that ended within a line has left of it is taken away."""

    def __init__(self, path):
        self._path = path

    def __enter__(self):
        try:
            self._file = open(self._path, "ab")
            end = self._file.tell()
            if end:
                with open(self._path, "rb") as file:
                    file.seek(end - 1)
                    is_whole = file.read(1) == b"\n"
                    file.seek(max(0, end - (1 << 26)))
                    left = 0 if is_whole else end - file.tell() - (file.read().rfind(b"\n") + 1)
                self._file.truncate(end - left)
        except OSError as why:
            raise NoRoom(why.strerror or str(why))
        return self

    def write(self, value):
        try:
            self._file.write(json.dumps(value, allow_nan=False).encode("utf-8", "replace") + b"\n")
        except OSError as why:
            raise NoRoom(why.strerror or str(why))

    def __exit__(self, *_):
        try:
            self._file.close()
        except OSError as why:
            raise NoRoom(why.strerror or str(why))


def read_part(asked, path, places, mode, shown):
    """Writes the launches at `places` ((place in this file, number in the report); None: all of them) to OUT.

    `mode`: "brief", "whole", or "" for whole ones where all are few enough. `shown`: launches before these, and in all.
    """
    context = module_in(asked["folders"]).load_report(path)
    actions = []
    for range_index in range(context.num_ranges()):
        part = context.range_by_idx(range_index)
        actions += [part.action_by_idx(index) for index in range(part.num_actions())]
    # Of a damaged report the module gives launches that hold nothing.
    whole = [place for place in places or [(index, index) for index in range(len(actions))]
             if place[0] < len(actions) and holds_something(actions[place[0]])]
    is_brief = mode == "brief" or (not mode and len(whole) > asked["whole"])
    answer = {"readBy": attempt(context.get_version) or "", "seen": len(places or actions), "launches": [], "sources": {},
              "device": device_of(actions[whole[0][0]]) if whole else None, "isBrief": is_brief}
    before, all_of_them = shown
    with Out(asked["out"]) as out:
        for index, (place, launch) in enumerate(whole):
            if index % 8 == 0 and mode != "whole":
                print("progress", before + index, all_of_them or len(whole), flush=True)
            action = actions[place]
            if is_brief and before + index >= asked["kept"]:
                kernel = {"name": attempt(lambda: action.name(type(action).NameBase_DEMANGLED), "") or attempt(action.name, ""),
                          "function": attempt(action.name, ""), "mangled": "", "grid": [], "block": []}
            else:
                kernel = kernel_of(action, launch, is_brief)
                out.write(kernel)
            time = attempt(lambda: number(action.metric_by_name(DURATION)))
            answer["launches"].append([place, launch, time or 0] + [kernel[key] for key in ("name", "function", "mangled", "grid", "block")])
            for name, text in {} if is_brief else (attempt(lambda: dict(action.source_files()), {}) or {}).items():
                if isinstance(text, str) and text:
                    answer["sources"].setdefault(name, text)
    return answer


# ---- the report


def link_of(report, start, folder):
    """The module tells a compressed report from another by its name alone."""
    is_compressed = start == blocks.COMPRESSED
    if is_compressed == report.endswith(".ncu-repz"):
        return report
    link = os.path.join(folder, "report.ncu-rep" + ("z" if is_compressed else ""))
    os.symlink(os.path.abspath(report), link)
    return link


def parts_of(launches, most):
    """[(place, launch)] cut into parts that are small enough."""
    part, size = [], 0
    for number, launch in launches:
        if part and (size + launch.end - launch.begin > PART_BYTES or len(part) == most):
            yield part
            part, size = [], 0
        part.append((number, launch))
        size += launch.end - launch.begin
    if part:
        yield part


class Reading:
    """A report read part by part; what was read and what could not be."""

    def __init__(self, asked, report, path, file):
        self.asked, self.report, self._path, self._file = asked, report, path, file
        self.read, self.sources, self.device, self.tool = [], {}, None, ""
        self.hollow, self.failures, self.is_brief = 0, [], False
        # As a whole: small, and nothing is missing, which older modules do not read.
        self._is_parted = file is not None and (file.missing > 0 or os.path.getsize(report) > PART_BYTES)

    def _take(self, answer, numbers, whole_only=False):
        if "noModule" in answer or "noRoom" in answer:
            raise NoModule(answer["noModule"]) if "noModule" in answer else NoRoom(answer["noRoom"])
        if "error" in answer:
            self.failures.append((numbers, answer["error"]))
            return
        self.sources.update(answer["sources"])
        if whole_only:
            return
        self.tool = self.tool or answer["readBy"]
        self.device = self.device or answer["device"]
        self.hollow += answer["seen"] - len(answer["launches"])
        self.is_brief = self.is_brief or answer["isBrief"]
        self.read += answer["launches"]

    def all(self):
        if not self._is_parted:
            answer = in_child(lambda: read_part(self.asked, self._path, None, "", (0, 0)))
            if self._file is None or not self._file.launches or answer.get("launches") or "noModule" in answer or "noRoom" in answer:
                return self._take(answer, [])
            self._is_parted = True  # damaged: what of it can be read?
        launches = list(enumerate(self._file.launches))
        mode = "whole" if len(launches) <= self.asked["whole"] else "brief"
        done = 0
        for part in parts_of(launches, PART_LAUNCHES):
            self._parted(part, mode, (done, len(launches)))
            done += len(part)
            print("progress", done, len(launches), flush=True)

    def again(self, chosen):
        """These launches of what was read, whole."""
        if not self._is_parted:
            places = [(entry[0], entry[1]) for entry in chosen]
            return self._take(in_child(lambda: read_part(self.asked, self._path, places, "whole", (0, 0))), [], True)
        for part in parts_of([(entry[1], self._file.launches[entry[1]]) for entry in chosen], PART_LAUNCHES):
            self._parted(part, "whole", (0, 0), True)

    def _parted(self, part, mode, shown, whole_only=False):
        path = os.path.join(os.path.dirname(self.asked["out"]), "part.ncu-rep")
        try:
            self._file.write_part(path, [launch for _, launch in part])
        except OSError as why:
            raise NoRoom(why.strerror or str(why))
        places = [(place, number) for place, (number, _) in enumerate(part)]
        answer = in_child(lambda: read_part(self.asked, path, places, mode, shown), PART_SECONDS)
        os.remove(path)
        # One damaged launch takes all of its part with it.
        if "noModule" not in answer and "noRoom" not in answer and not answer.get("launches"):
            if len(part) > 1 and len(self.failures) < MOST_FAILURES:
                for half in (part[: len(part) // 2], part[len(part) // 2 :]):
                    self._parted(half, mode, shown, whole_only)
                return
            answer.setdefault("error", "it holds nothing")
        self._take(answer, [number for number, _ in part], whole_only)


def chosen_of(read, asked):
    """The longest launch of each kernel and shape, what takes most time first; of those asked for, all."""
    def is_wanted(entry):
        return (not asked["launch"] or entry[1] + 1 == asked["launch"]) and asked["kernel"] in entry[3]

    is_asked = bool(asked["launch"] or asked["kernel"])
    shapes = {}
    for entry in read if asked["launch"] else read[: asked["kept"]]:
        if not is_asked or is_wanted(entry):
            shapes.setdefault((entry[5] or entry[3], tuple(entry[6]), tuple(entry[7])), []).append(entry)
    groups = sorted(shapes.values(), key=lambda group: -sum(entry[2] for entry in group))
    longest = [max(group, key=lambda entry: entry[2]) for group in groups]
    if is_asked:
        others = [entry for group in groups for entry in sorted(group, key=lambda entry: -entry[2])]
        longest += [entry for entry in others if entry not in longest]
    return sorted(longest[: asked["whole"]], key=lambda entry: entry[1])


def left_out_of(left_out):
    """The times of launches that are not kept, by kernel."""
    kernels = {}
    for entry in left_out:
        kernel = kernels.setdefault(entry[3], {"name": entry[3], "function": entry[4], "microseconds": []})
        kernel["microseconds"].append(entry[2] / 1000)
    return list(kernels.values())


def version_of(text):
    found = re.search(r"(\d{4})\.(\d+)\.(\d+)", text)
    return tuple(int(part) for part in found.groups()) if found else None


def problems_of(reading, chosen, left_out, file, made):
    problems = []
    read, asked = reading.read, reading.asked
    if reading.is_brief:
        which = "those that were asked for" if asked["launch"] or asked["kernel"] else "the longest of each kernel and shape"
        problems.append("The report has %s launches. In full: %s (%d). Of the others only what Warpwright shows: no rules, no instructions, "
                        "no lines, a part of the metrics." % (format(len(read), ","), which, len(chosen)))
    if left_out:
        problems.append("From launch %s on the times alone are here (%s)." % (
            format(asked["kept"] + 1, ","), counted(len(left_out), "launch", "", "").strip()))
    if file is not None and file.missing:
        problems.append("The report is cut: at least %s missing at its end, and %s left of it." % (
            counted(file.missing, "byte", "is", "are"), counted(len(read), "launch", "is", "are")))
    if file is not None and file.broken:
        problems.append("The report is damaged from byte %s of %s on: what it holds there may be missing." % (
            format(file.broken, ","), format(os.path.getsize(reading.report), ",")))
    if reading.hollow:
        problems.append("The report is damaged: %s nothing and %s left out." % (
            counted(reading.hollow, "launch", "holds", "hold"), "is" if reading.hollow == 1 else "are"))
    for numbers, why in reading.failures:
        if numbers:
            which = "launch %s" % format(numbers[0] + 1, ",") if len(numbers) == 1 else "launches %s to %s" % (
                format(numbers[0] + 1, ","), format(numbers[-1] + 1, ","))
            problems.append("The report is damaged: %s cannot be read (%s) and %s left out." % (which, why, "is" if len(numbers) == 1 else "are"))
    by = version_of(reading.tool)
    if by and made and version_of(made) > by:
        problems.append("The report was written by Nsight Compute %s and read by ncu-report %s: what is new in it is not shown." % (
            made, reading.tool))
    return problems


def why_nothing(reading, file, start):
    if start not in (blocks.MAGIC, blocks.COMPRESSED):
        return "it is no report of Nsight Compute: it does not begin as one"
    if file is not None and file.missing:
        return "it is cut: at least %s missing at its end, and no launch can be read" % counted(file.missing, "byte", "is", "are")
    if reading.failures:
        return "it is damaged, or newer than what reads it: %s" % reading.failures[0][1].strip().splitlines()[-1]
    if reading.hollow:
        return "it is damaged: none of its launches holds anything"
    if file is not None and file.broken:
        return "it is damaged from byte %s on, and no launch can be read" % format(file.broken, ",")
    if file is None:
        return "it is damaged, and no launch can be read" if start == blocks.MAGIC else (
            "it is compressed, and ncu-report %s finds no launch in it: newer ones may, if it is not damaged" % reading.tool)
    return "it holds no launch of a kernel"


def main(words):
    paths = []
    asked = {"folders": [], "kept": 2000, "whole": 64, "kernel": "", "launch": 0}
    while words:
        word = words.pop(0)
        if word == "--module":
            asked["folders"].append(words.pop(0))
        elif word in ("--kernels", "--metrics", "--launch"):
            asked[{"--kernels": "kept", "--metrics": "whole", "--launch": "launch"}[word]] = int(words.pop(0))
        elif word == "--kernel":
            asked["kernel"] = words.pop(0)
        else:
            paths.append(word)
    report, target = paths
    asked["out"] = os.path.abspath(target)
    with open(report, "rb") as opened:
        start = opened.read(4)
    file = attempt(lambda: blocks.Report(report))
    try:
        path = link_of(report, start, os.path.dirname(asked["out"]))
        reading = Reading(asked, report, path, file)
        reading.all()
        chosen = chosen_of(reading.read, asked) if reading.is_brief else []
        if chosen:
            reading.again(chosen)
        if not reading.read:
            print(why_nothing(reading, file, start), file=sys.stderr)
            return 4
        left_out = [entry for entry in reading.read[asked["kept"] :] if entry not in chosen]
        made = file.made if file is not None else ""
        document = {
            "schema": "warpwright.counters/1",
            "report": {
                "file": os.path.basename(report),
                "bytes": os.path.getsize(report),
                "tool": "Nsight Compute " + made if made else "",
                "readBy": "ncu-report " + (reading.tool or "of an installation"),
            },
            "device": reading.device,
            "hasSelectedMetrics": reading.is_brief,
            "launchesLeftOut": len(left_out),
            "leftOut": left_out_of(left_out),
            "problems": problems_of(reading, chosen, left_out, file, made),
            "sources": reading.sources,
        }
        with Out(asked["out"]) as out:
            out.write(document)
    except NoModule as why:
        print(why, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except (NoRoom, OSError) as why:  # of OUT: a full disk
        print(getattr(why, "strerror", None) or why, file=sys.stderr)
        code = 5
    sys.exit(code)
