# SPDX-License-Identifier: GPL-3.0-or-later
"""A scripted model that works in CUDA-Agent's agent_workdir by what its SKILL.md says.

It knows no command by itself: it runs those that stand in the skill's shell blocks. What comes back decides what it
does next: a compile error is mended by the compiler's words, and where a command says that there is no GPU it goes on
with the tools that the command names.
"""

import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engineer"))
from rules import Answer, Call  # noqa: E402

CANDIDATE = Path(__file__).resolve().parents[2] / "data" / "apprentice"
NO_GPU = "there is no GPU"
MISTAKES = {"kernels/axpby.cu": ("const float4 y", "const flaot4 y"), "kernels/axpby.cpp": ("float *out", "flaot *out")}
WORDS = ["float", "float4", "const", "void", "return", "static"]
SECONDS = 600  # torch's headers on few cores, and torch.compile for the first time


@dataclass
class Done:
    """A call and what came back."""

    tool: str
    arguments: dict
    result: str

    def what(self):
        return str(self.arguments.get("command") or self.arguments.get("path") or "")

    def lines(self, count):
        return [line for line in self.result.splitlines() if line.strip()][:count]


def commands_in(skill):
    """The commands for compiling, verifying and profiling, as the skill writes them; each once."""
    found = {}
    for block in re.findall(r"```(?:bash|sh)\n(.*?)```", skill, re.S):
        for line in block.splitlines():
            step = re.search(r"utils[./](compile|verification|profiling)\b", line.partition("#")[0])
            if step:
                found.setdefault(step[1], line.strip())
    return found


class Apprentice:
    def __init__(self):
        self.done = []
        self.commands = {}
        self.has_gpu = True
        self._course = self._work()
        self._last = None

    def answer(self, asked):
        """asked: the conversation as dialects.Asked. A request that comes again gets the same answer."""
        if not asked.tools:
            return Answer("The skill was read; its commands were run in their order.")
        if self._last is None:
            self._last = next(self._course)
        elif asked.last_calls and self._last.calls and asked.last_calls[-1][0] == self._last.calls[0].id:
            call = self._last.calls[0]
            self.done.append(Done(call.name, call.arguments, asked.last_calls[-1][1]))
            self._last = self._course.send(self.done[-1].result)
        return self._last

    def _call(self, words, name, **arguments):
        return Answer(words, "", [Call(name, arguments, f"w{len(self.done)}")])

    def _run(self, step):
        return self._call(f"As the skill says: {step}.", "bash", command=self.commands[step], timeout_s=SECONDS)

    def _work(self):
        skill = yield self._call("First the skill.", "skill")
        self.commands = commands_in(skill)
        if len(self.commands) < 3:
            yield Answer(f"DONE: the skill names only {sorted(self.commands)} of its three steps.")
        yield self._call("The reference.", "read", path="model.py")
        for path in ("model_new.py", "kernels/axpby.cu", "kernels/axpby_binding.cpp"):
            yield self._call("The candidate.", "read", path=path)
        self.has_gpu = NO_GPU not in (yield self._run("compile"))
        yield self._run("verification")
        yield self._run("profiling")
        if self.has_gpu:
            yield from self._write(["kernels/axpby.cu"])
        else:
            yield from self._write(["kernels/axpby.cpp", "kernels/axpby_binding.cpp"])
        yield from self._compile_until_it_does()
        yield from self._measure()
        yield self._call("Worth keeping, I think.", "submit", title="Four numbers in one access",
                         reason="One pass over the memory, in accesses of 16 bytes.", predicted_time_ratio=0.97)
        yield Answer("DONE: one pass over the memory is what this reference needs.")

    def _write(self, paths):
        for path in paths:
            text = (CANDIDATE / Path(path).name).read_text()
            yield self._call(f"Now {path}.", "write", path=path, content=text.replace(*MISTAKES.get(path, ("", ""))))

    def _compile_until_it_does(self):
        for _ in range(4):
            said = yield (self._run("compile") if self.has_gpu else self._call("Does it compile?", "compile"))
            edit = self._mending(said)
            if edit is None:
                return
            yield self._call(f"«{edit[1]}» I meant to be «{edit[2]}».", "edit", path=edit[0],
                             edits=[{"old": edit[1] + " ", "new": edit[2] + " "}])

    @staticmethod
    def _mending(said):
        """The file, the word that the compiler does not know, and the nearest that it does."""
        for path, words in re.findall(r"(kernels/[\w.]+)[:(]\d+[^\n]*?error:?([^\n]*)", said):
            for unknown in re.findall(r"[‘'\"](\w+)[’'\"]", words):
                near = difflib.get_close_matches(unknown, WORDS, 1, 0.6)
                if near and near[0] != unknown:
                    return path, unknown, near[0]
        return None

    def _measure(self):
        if self.has_gpu:
            yield self._run("verification")
            yield self._run("profiling")
        else:
            yield self._call("The words named it.", "verify")
            yield self._call("And this.", "profile")
