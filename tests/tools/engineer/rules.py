# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engineer does next, from the conversation alone.

Where it is stands in the id of its last call.
"""

import difflib
import json
import pathlib
import re
from dataclasses import dataclass, field, replace

MISTAKE = ("float ", "flaot ")  # of the first idea, once in each file
WORDS = ["float", "const", "int", "for", "void", "return", "static"]
ORDER = ["read", "edit", "compile", "verify", "profile", "inspect", "submit"]
OPENING = ["skill", "device_facts", "model", "history", "look", "todo"]


@dataclass(frozen=True)
class Place:
    """In the id of a call."""

    idea: int
    stage: str
    file: int = 0
    tries: int = 0
    without: tuple = ()
    whole: bool = False  # writes each file as it is after all ideas so far, for the text went on without the last one

    def name(self):
        parts = (self.idea, self.stage, self.file, self.tries, "_".join(map(str, self.without)), "w" * self.whole)
        return "e" + "-".join(map(str, parts))

    @staticmethod
    def of(name):
        found = re.fullmatch(r"e(\d+)-(\w+)-(\d+)-(\d+)-([\d_]*)-(w?)", name)
        if not found:
            return None
        return Place(int(found[1]), found[2], int(found[3]), int(found[4]),
                     tuple(int(number) for number in found[5].split("_") if number), bool(found[6]))


@dataclass
class Call:
    name: str
    arguments: dict
    id: str = ""


@dataclass
class Answer:
    text: str
    thinking: str = ""
    calls: list = field(default_factory=list)

    def note(self):
        return " ".join(f"{call.name} ({call.id})" for call in self.calls) or self.text[:80]


@dataclass
class Idea:
    title: str
    reason: str
    ratio: float
    hunks: list  # (path, old, new)


def hunks_of(patch):
    hunks, path, old, new = [], None, None, None

    def close():
        if old is not None:
            hunks.append((path, "".join(old), "".join(new)))

    for line in patch.splitlines(keepends=True):
        if line.startswith("--- "):
            close()
            old = None
        elif line.startswith("+++ b/"):
            path = line[6:].strip()
        elif line.startswith("@@"):
            close()
            old, new = [], []
        elif old is not None:
            if line[0] in " -":
                old.append(line[1:])
            if line[0] in " +":
                new.append(line[1:])
    close()
    return hunks


class Engineer:
    def __init__(self, lesson, ideas):
        self.ideas = []
        for words in sorted((lesson / "steps").glob("*.json"))[:ideas]:
            said = json.loads(words.read_text())
            self.ideas.append(Idea(said["title"], said["reason"].split("\n")[0],
                                   said.get("prediction", {}).get("timeRatio", 0.9),
                                   hunks_of(words.with_suffix(".patch").read_text())))
        start = lesson / "start"
        texts = {str(file.relative_to(start)): file.read_text() for file in sorted(start.glob("kernels/*"))}
        self.texts = []  # after each idea, where all before it were taken; none: nobody told us the start
        for idea in self.ideas if texts else []:
            for path, old, new in idea.hunks:
                texts[path] = texts[path].replace(old, new, 1)
            self.texts.append(dict(texts))

    # --- where it is

    def answer(self, asked):
        """asked: the conversation as dialects.Asked."""
        if not asked.tools:
            return Answer("Tried so far: what the list of iterations says. Left: the rest of my ideas, in order.")
        if not asked.last_calls:
            return self.at(Place(0, OPENING[0]))
        last, result = asked.last_calls[-1]
        place = Place.of(last)
        if place is None:
            return Answer("DONE. I do not know where I am.")
        return self.after(place, result)

    def at(self, place, text="", thinking="", **more):
        name, arguments, words = self.call(place, **more)
        return Answer(text or words, thinking or f"Stage {place.stage} of idea {place.idea}. Größe × Zeit: {place.tries}.",
                      [Call(name, arguments, place.name())])

    def after(self, place, result):
        stage = place.stage
        if stage in OPENING:
            following = OPENING.index(stage) + 1
            return self.at(Place(0, OPENING[following])) if following < len(OPENING) else self.begin(1, "To work.")
        if "Not carried out to its end" in result and place.tries < 5:
            return self.at(replace(place, tries=place.tries + 1))
        if stage == "read":
            return self.at(replace(place, stage="write" if place.whole else "edit"))
        if stage in ("write", "edit") and re.search(r"Read it (first|again)", result) and place.tries < 3:
            return self.at(replace(place, stage="read", tries=place.tries + 1), "I have to read it first.")
        if stage == "write":
            return self.next_file(place)
        if stage == "edit":
            return self.without_one(place, result) if self.is_failure(stage, result) else self.next_file(place)
        if stage == "mend" and self.other_than(place) is not None:
            return self.at(replace(place, stage="twin", file=self.other_than(place)), "The same slip is in the other device's file.")
        if stage in ("mend", "twin"):
            return self.at(replace(place, stage="compile"), "Compile again.")
        if stage == "compile" and self.is_failure(stage, result):
            return self.mend(place, result)
        if stage == "verify" and self.is_failure(stage, result):
            return self.begin(place.idea + 1, f"It does not verify: {result[:120]}", True)
        if stage == "submit":
            if "REJECTED" in result:
                return self.begin(place.idea + 1, "What was rejected I leave as it is.")
            is_taken = result.startswith("Applied")
            return self.begin(place.idea + 1, "Go on from there." if is_taken else "Then with the next idea on top.",
                              not is_taken)
        return self.at(replace(place, stage=ORDER[ORDER.index(stage) + 1], tries=0))

    @staticmethod
    def is_failure(stage, result):
        first = result.split("\n")[0]
        if stage == "edit":
            return bool(re.search(r"edit \d+", result)) or "Cannot" in first or "not " in first
        if stage == "compile":
            return bool(re.search(r"\berror\b", result))
        return bool(re.search(r"\b(wrong|rejected|run-failed|build-failed|impossible)\b", first))

    # --- what it does

    def files(self, place):
        ideas = self.ideas[:place.idea] if place.whole else [self.ideas[place.idea - 1]]
        return list(dict.fromkeys(path for idea in ideas for path, _, _ in idea.hunks))

    def hunks(self, place):
        path = self.files(place)[place.file]
        return [(i, old, new) for i, (where, old, new) in enumerate(self.ideas[place.idea - 1].hunks)
                if where == path and i not in place.without]

    def other_than(self, place):
        """The number of the file for the other device: only one of a kernel's two files is compiled in a check."""
        files = self.files(place)
        other = {".cu": ".cpp", ".cpp": ".cu"}.get(pathlib.PurePath(files[place.file]).suffix)
        path = str(pathlib.PurePath(files[place.file]).with_suffix(other)) if other else ""
        return files.index(path) if path in files else None

    def begin(self, idea, words, whole=False):
        if idea > len(self.ideas):
            return Answer(f"DONE: {words} Every idea that I had was tried.")
        return self.at(Place(idea, "read", whole=whole and bool(self.texts)), words)

    def next_file(self, place):
        if place.file + 1 < len(self.files(place)):
            return self.at(replace(place, stage="read", file=place.file + 1, tries=0))
        if len(place.without) == len(self.ideas[place.idea - 1].hunks):
            return self.begin(place.idea + 1, "Nothing of this idea fits any more.")
        return self.at(replace(place, stage="compile", tries=0))

    def without_one(self, place, result):
        """One of its edits finds no place any more: somebody changed those lines. It does without it."""
        here = self.hunks(place)
        named = re.search(r"edit (\d+)", result)
        number = int(named[1]) - 1 if named and 0 < int(named[1]) <= len(here) else 0
        left = replace(place, without=tuple(sorted({*place.without, here[number][0]})), tries=place.tries + 1)
        if not self.hunks(left):
            return self.next_file(left)
        return self.at(left, "Those lines are others now. I do without that part.")

    def mend(self, place, result):
        """The compiler names a word that it does not know: the nearest of those that it does."""
        for path, line, words in re.findall(r"([\w./-]+\.(?:cu|cpp|cuh|h)):(\d+)[^\n]*?error:?([^\n]*)", result):
            for unknown in re.findall(r"[‘'\"](\w+)[’'\"]", words):
                near = difflib.get_close_matches(unknown, WORDS, 1, 0.6)
                if near and near[0] != unknown and place.tries < 6:
                    files = self.files(place)
                    at = files.index(path) if path in files else place.file
                    return self.at(replace(place, stage="mend", file=at, tries=place.tries + 1),
                                   f"{path}:{line} says «{unknown}»: I meant «{near[0]}».",
                                   path=path, unknown=unknown, near=near[0])
        return self.begin(place.idea + 1, f"I cannot mend this: {result[:200]}", True)

    def call(self, place, path="", unknown="", near=""):
        stage = place.stage
        if stage == "skill":
            return "skill", {}, "First the skill."
        if stage == "device_facts":
            return "device_facts", {}, "What can this device do?"
        if stage == "model":
            return "read", {"path": "model.py"}, "The reference."
        if stage == "history":
            return "history", {}, "What was tried?"
        if stage == "look":
            return "bash", {"command": "ls kernels && wc -l kernels/*"}, "The candidate's files."
        if stage == "todo":
            return "todo", {"items": [{"text": one.title, "state": "waiting"} for one in self.ideas]}, "The plan."
        if stage in ("compile", "verify", "profile"):
            return stage, {}, f"Now {stage}."
        if stage == "inspect":
            return "inspect", {"what": "resources"}, "Registers and occupancy."
        this = self.ideas[place.idea - 1]
        if stage == "submit":
            return "submit", {"title": this.title, "reason": this.reason, "predicted_time_ratio": this.ratio}, \
                "Worth keeping, I think."
        if stage == "mend":
            return "edit", {"path": path, "edits": [{"old": f"{unknown} ", "new": f"{near} ", "all": True}]}, "Mend it."
        path = self.files(place)[place.file]
        if stage == "twin":
            return "edit", {"path": path, "edits": [{"old": MISTAKE[1], "new": MISTAKE[0], "all": True}]}, "Mend it there, too."
        if stage == "write":
            return "write", {"path": path, "content": self.texts[place.idea - 1][path]}, f"All so far, in {path}."
        if stage == "read":
            return "read", {"path": path}, f"Idea {place.idea}: {this.title}."
        slips = place.idea == 1 and place.tries == 0 and not path.endswith(".py")
        edits = [{"old": old, "new": new.replace(*MISTAKE, 1) if slips and number == 0 else new}
                 for number, (_, old, new) in enumerate(self.hunks(place))]
        return "edit", {"path": path, "edits": edits}, f"Idea {place.idea} in {path}."
